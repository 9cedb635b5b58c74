import { defineQueue } from '#kit/server/jobs/index.ts'

export const changeRequestQueue = defineQueue<{ id: string; isExpiry?: true }>('workflow.change')
