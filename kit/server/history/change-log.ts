import sql, { type Sql } from 'sql-template-tag'
import type { Field } from '../../fields/field-kind.ts'
import { isWriteOnlyField } from '../../fields/kinds.ts'
import type { Resource } from '../../resource/define-resource.ts'
import { isSecretInRow } from '../security/index.ts'
import { newId } from '../database/snowflake.ts'

type Any = Resource<any, any>

/** One row changed by one unit of work: the fields that differ, as stored. A secret's key is named, its value never. */
type Change = {
  tenantId: string
  resource: string
  rowId: string
  kind: 'edit' | 'remove' | 'restore'
  version: number
  was: Record<string, unknown>
  now: Record<string, unknown>
}

export type ChangeLog = {
  /**
   * Whether changes of the family by this actor are kept: what people change, and what the system changes in the
   * office's own families (decision 0014).
   */
  keeps: (resource: Any) => boolean
  note: (change: Change) => void
  /** Everything noted so far as one statement; undefined when there is nothing. Begins anew. */
  take: () => Sql | undefined
  /** Which rows have been noted since, by family. */
  touched: () => { resource: string; rowId: string }[]
  /** A point to go back to when what follows is undone. */
  mark: () => () => void
}

const SYSTEM = '0'

/** Gathers the changes of one handle, one entry a row, so that a unit of work writes them with one statement. */
export function createChangeLog(actor: { userId: string; via?: string }): ChangeLog {
  let noted = new Map<string, Change>()
  return {
    keeps: (resource) => resource.history && (resource.writer === 'office' || actor.userId !== SYSTEM),
    note: (change) => {
      const key = `${change.kind}/${change.resource}/${change.rowId}`
      const before = noted.get(key)
      noted.set(
        key,
        before ? { ...change, was: { ...change.was, ...before.was }, now: { ...before.now, ...change.now } } : change,
      )
    },
    take: () => {
      const rows = [...noted.values()]
        .map(({ tenantId, resource, rowId, kind, version, was, now }) => {
          // What was changed and changed back within the unit is no change; a hidden value is null on both sides and is
          // one.
          const keys = Object.keys(now).filter((key) => now[key] === null || !isSame(was[key], now[key]))
          const side = (row: Record<string, unknown>) => Object.fromEntries(keys.map((key) => [key, row[key] ?? null]))
          return {
            id: newId(),
            tenant_id: tenantId,
            resource,
            row_id: rowId,
            kind,
            version,
            was: side(was),
            now: side(now),
          }
        })
        .filter(({ kind, now }) => kind !== 'edit' || Object.keys(now).length)
      noted = new Map()
      if (!rows.length) return undefined
      return sql`insert into row_change (id, tenant_id, resource, row_id, kind, via, version, user_id, was, now)
        select id, tenant_id, resource, row_id, kind, ${actor.via ?? ''}::text, version, ${actor.userId}::bigint, was,
        now from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id bigint, tenant_id text, resource text,
        row_id bigint, kind text, version integer, was jsonb, now jsonb)`
    },
    touched: () => [...noted.values()].map(({ resource, rowId }) => ({ resource, rowId })),
    mark: () => {
      const kept = new Map(noted)
      return () => void (noted = kept)
    },
  }
}

export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/** The fields that differ; undefined when none does. */
export function diffFieldValues(
  fields: [string, Field][],
  was: Record<string, unknown>,
  now: Record<string, unknown>,
): Pick<Change, 'was' | 'now'> | undefined {
  const changed = fields.filter(([key]) => !isSame(was[key], now[key]))
  if (!changed.length) return undefined
  const side = (row: Record<string, unknown>) =>
    Object.fromEntries(
      changed.map(([key, field]) => [key, isSecretFieldValue(field, key, row) ? null : (row[key] ?? null)]),
    )
  return { was: side(was), now: side(now) }
}

/** Whether a field's value is nobody's to read again, by its declaration or by its name. */
export const isSecretFieldValue = (field: Field, key: string, row: Record<string, unknown>): boolean =>
  isWriteOnlyField(field) || (typeof row[key] === 'string' && isSecretInRow(row, key))
