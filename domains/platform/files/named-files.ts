import { fieldKindOf } from '#kit/fields/kinds.ts'
import { UPLOAD_LINK_HINT } from '#kit/fields/base/link.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { columnNameSql, hasTenantColumn, storedFields, tableNameSql } from '#kit/server/database/row-sql.ts'
import { findServedResource } from '#kit/server/resource/custom-fields.ts'
import type { Call } from '#kit/server/module/module.ts'
import { join } from 'sql-template-tag'
import { attach } from './attach.resource.ts'

/**
 * Returns those of the files that rows of the tenant refer to, whether or not the caller sees the rows. Includes rows
 * in the recycle bin, which may be restored. Does not search attachments, which stand for the files themselves, nor
 * resources with `indexedList`, which only copy links from other rows.
 */
export async function findReferencedFileKeys(call: Pick<Call, 'services' | 'caller'>, db: Db, keys: readonly string[]) {
  const looks = [...call.services.registry.served.keys()].flatMap((name) => {
    const { resource } = findServedResource(name, {
      services: call.services,
      caller: { tenantId: db.tenantId, isPlatform: false },
    })!
    if (resource.name === attach.name || resource.indexedList) return []
    const tenant = hasTenantColumn(resource) ? sql`r.tenant_id = ${db.tenantId}` : sql`true`
    return storedFields(resource)
      .filter(
        ([, field]) => fieldKindOf(field).sheet?.hint === UPLOAD_LINK_HINT || fieldKindOf(field).document === 'html',
      )
      .map(
        ([key]) => sql`exists (select 1 from ${tableNameSql(resource)} r where ${tenant}
          and strpos(r.${columnNameSql(key)}::text, k.key) > 0)`,
      )
  })
  const found = await db.query<{ key: string }>(
    sql`select k.key from unnest(${keys}::text[]) k(key) where ${join(looks, ' or ')}`,
  )
  return new Set(found.map(({ key }) => key))
}
