import { findOrphans } from '#kit/server/resource/orphans.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { recordSystemLogWithoutCall } from './api.ts'

/**
 * Reports references to rows that no longer exist. References have no foreign keys: the code that writes and removes
 * rows maintains them.
 */
export const reportOrphanReferencesJob = defineModuleJob({
  queue: defineQueue('logs.orphans'),
  cron: '20 4 * * *',
  concurrency: 1,
  timeoutSeconds: 3600,
  run: async (_none, { services, signal }) => {
    for (const one of await findOrphans(services, { signal }))
      recordSystemLogWithoutCall(services, { level: 'warn', id: 'references.orphans', data: one })
  },
})
