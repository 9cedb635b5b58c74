import { defineModuleJob } from '#kit/server/module/module.ts'
import { fileRemovalQueue } from './stored-file.ts'
import { findStoreOfFile } from './stores.ts'

/** Removes the bytes of deleted files from their store. Safe to run twice. */
export const removeFileBytesJob = defineModuleJob({
  queue: fileRemovalQueue,
  run: async ({ key, ossId }, { services, tenantId }) => {
    const place = await findStoreOfFile(services, tenantId, ossId)
    await place?.store.remove(key)
  },
})
