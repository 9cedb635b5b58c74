import { kindOf } from '#kit/fields/kinds.ts'
import { linkHint } from '#kit/fields/link.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { column, hasTenant, storedFields, tableOf } from '#kit/server/database/rows.ts'
import { familyOf } from '#kit/server/resource/custom-fields.ts'
import type { Call } from '#kit/server/module.ts'
import { join } from 'sql-template-tag'
import { attach } from './attach.resource.ts'

/**
 * Which of these files rows of the tenant still name, whoever may see those rows; attachments do not count, as they are
 * the files themselves. What lies in the recycle bin counts: it may come back. Families declared big keep what they
 * copied from other rows, and are not looked through.
 */
export async function namedFiles(call: Pick<Call, 'services' | 'caller'>, db: Db, keys: readonly string[]) {
  const looks = [...call.services.registry.served.keys()].flatMap((name) => {
    const { resource } = familyOf(name, {
      services: call.services,
      caller: { tenantId: db.tenantId, isPlatform: false },
    })!
    if (resource.name === attach.name || resource.indexedList) return []
    const tenant = hasTenant(resource) ? sql`r.tenant_id = ${db.tenantId}` : sql`true`
    return storedFields(resource)
      .filter(([, field]) => kindOf(field).sheet?.hint === linkHint || kindOf(field).document === 'html')
      .map(
        ([key]) => sql`exists (select 1 from ${tableOf(resource)} r where ${tenant}
          and strpos(r.${column(key)}::text, k.key) > 0)`,
      )
  })
  const found = await db.query<{ key: string }>(
    sql`select k.key from unnest(${keys}::text[]) k(key) where ${join(looks, ' or ')}`,
  )
  return new Set(found.map(({ key }) => key))
}
