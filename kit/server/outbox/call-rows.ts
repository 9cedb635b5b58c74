import type { Resource, RowOf } from '../../resource/define-resource.ts'
import { toSqlName } from '../../resource/define-resource.ts'
import { join, raw, sql, type Db, type Sql } from '../database/db.ts'
import { tableNameSql, notDeletedSql } from '../database/row-sql.ts'
import { publishRowsChanged } from '../resource/submit-of.ts'

/** Code of a state, as the row's dictionary has it. */
export type StateCode = string | number

/** How the rows of a call are locked, written and found; `callRowsOf` for those of a resource. */
export type CallRows<Row> = {
  /** Name of the resource or table. */
  name: string
  /** Field by which the rows of one call are found, where that is not the id. */
  key?: string
  /** Locks what belongs to one call and returns it; undefined when there is no such row. */
  lock: (db: Db, id: string) => Promise<Row | undefined>
  /** Writes the locked row, tells browsers, and returns it as it is then. */
  update: (db: Db, row: Row, patch: Partial<Row>) => Promise<Row>
  /** Statement that gives `id` and `tenant_id` of the rows, over all tenants, whose state is one of these. */
  inStatesSql: (states: readonly StateCode[]) => Sql
}

/** Rows of a resource, by the field that holds their state. */
export const callRowsOf = <R extends Resource<any, any>>(
  resource: R,
  state: Extract<keyof R['fields'], string>,
): CallRows<RowOf<R>> => ({
  name: resource.name,
  lock: (db, id) => db.get(resource, id, 'forUpdate'),
  async update(db, row, patch) {
    const now = await db.update(resource, (row as { id: string }).id, patch as Parameters<typeof db.update<R>>[2])
    publishRowsChanged({ db }, resource, [now])
    return now
  },
  inStatesSql: (states) =>
    sql`select r.id, r.tenant_id from ${tableNameSql(resource)} r
      where r.${raw(`"${toSqlName(state)}"`)} = any(${[...states]}${
        typeof states[0] === 'number' ? sql`::int[]` : sql`::text[]`
      })${notDeletedSql(resource)}`,
})

/** Assignments of an UPDATE that writes a patch, for rows that are no resource's or are written together. */
export const assignmentsSql = (patch: object): Sql =>
  join(Object.entries(patch).map(([key, value]) => sql`${raw(`"${toSqlName(key)}"`)} = ${value}`))
