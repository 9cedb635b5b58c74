import { sql } from '#kit/server/database/db.ts'
import type { SlotValue } from '#kit/server/base/slots.ts'
import type { tenantFilesSlot, TenantFile } from '#domains/platform/system/api.ts'
import { runAtFileStore, findStoreOfFile } from './stores.ts'

const AT_ONCE = 200

/** Lists and opens a tenant's files for its export, and removes them after it. */
export const tenantFilesProvider: SlotValue<typeof tenantFilesSlot> = {
  after: (services, tenantId, key) =>
    services.unit({ tenantId }, (db) =>
      db.query<TenantFile>(
        sql`select key, oss_id::text as oss_id from stored_file where tenant_id = ${tenantId} and key > ${key}
          order by key limit ${AT_ONCE}`,
      ),
    ),
  open: async (services, tenantId, { key, ossId }) => {
    const place = await findStoreOfFile(services, tenantId, ossId)
    if (!place) return undefined
    const found = await runAtFileStore(place, (store) => store.get(key)).catch((error: unknown) => {
      if (!ossId) throw error
    })
    return found?.stream
  },
  remove: async (services, tenantId, { key, ossId }) => {
    const place = await findStoreOfFile(services, tenantId, ossId)
    if (place) await runAtFileStore(place, (store) => store.remove(key))
  },
}
