import { defineJob } from '#kit/server/jobs/index.ts'
import type { Services } from '#kit/server/services.ts'
import { removeQueue } from './stored-file.ts'
import { placeOf } from './stores.ts'

/** Removes the bytes of files nobody can reach any more. Removing what is gone is no error, so it may run twice. */
export const removeFileJob = defineJob<{ key: string; ossId: string | null }>({
  queue: removeQueue,
  run: async ({ key, ossId }, context) => {
    const { services } = context as typeof context & { services: Services }
    const place = await placeOf(services, context.tenantId, ossId)
    await place?.store.remove(key)
  },
})
