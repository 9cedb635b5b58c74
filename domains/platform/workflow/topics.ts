import { defineTopic } from '#kit/resource/index.ts'

export const processTasksTopic = defineTopic<{ instanceId: string | null }>('flow.tasks')
