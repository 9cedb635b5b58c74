import { defineQueue } from '#kit/server/jobs/index.ts'

/** Builds and drops the indexes that lists need for custom fields. */
export const customFieldIndexQueue = defineQueue('ownfields.indexes')

/** Clears the values of removed fields: those of the tenant if given, else those removed long enough ago. */
export const customFieldClearingQueue = defineQueue<{ tenantId?: string }>('ownfields.clear')
