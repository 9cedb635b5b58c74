import { defineJob } from '#kit/server/jobs/index.ts'
import type { Services } from '#kit/server/services.ts'
import { sendSmsBatch, SMS_SEND_QUEUE } from './sms-send.ts'

/** Sends a batch the requesting process did not finish. Throws without an answer, so that the job is retried. */
export const sendSmsBatchJob = defineJob<{ batchId: string }>({
  queue: SMS_SEND_QUEUE,
  run: async ({ batchId }, context) => {
    const { services } = context as typeof context & { services: Services }
    const answer = await sendSmsBatch(services, context.tenantId, batchId)
    if (answer?.code === 'no_answer') throw new Error(`the provider did not answer: ${answer.msg}`)
  },
})
