import { defineTopic } from '#kit/resource/index.ts'

export const doorTopic = defineTopic<{ shopId: string }>('door.changed')
