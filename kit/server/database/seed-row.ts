import sql from 'sql-template-tag'
import type { NewRowOf, Resource } from '../../resource/define-resource.ts'
import type { Db } from './db.ts'
import { tableNameSql } from './row-sql.ts'

/**
 * Inserts a row with a fixed id, unless that row exists or was softly removed; never overwrites people's changes.
 * Returns whether it was inserted.
 */
export async function seedRow<R extends Resource<any, any>>(
  db: Db,
  resource: R,
  id: string,
  draft: NewRowOf<R>,
): Promise<boolean> {
  const known = await db.one(sql`select 1 from ${tableNameSql(resource)} r where r.id = ${id}`)
  if (known) return false
  await db.insert(resource, { ...draft, id })
  return true
}
