import { defineJob } from '#kit/server/jobs/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { FILE_REMOVAL_QUEUE } from './stored-file.ts'
import { findStoreOfFile } from './stores.ts'

/** Removes the bytes of deleted files from their store. Safe to run twice. */
export const removeFileBytesJob = defineJob<{ key: string; ossId: string | null }>({
  queue: FILE_REMOVAL_QUEUE,
  run: async ({ key, ossId }, context) => {
    const { services } = context as typeof context & { services: Services }
    const place = await findStoreOfFile(services, context.tenantId, ossId)
    await place?.store.remove(key)
  },
})
