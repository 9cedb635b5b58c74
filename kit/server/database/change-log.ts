import sql, { type Sql } from 'sql-template-tag'
import type { Field } from '../../fields/base/field-kind.ts'
import { isWriteOnlyField } from '../../fields/kinds.ts'
import type { Resource } from '../../resource/define-resource.ts'
import { isSecretInRow } from '../base/mask.ts'
import { newId } from './snowflake.ts'

type Any = Resource<any, any>

/**
 * Changes of one row by one unit of work: stored values of the changed fields. For secrets only the key is recorded,
 * never the value.
 */
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
   * Whether changes of the resource by this actor are recorded: all changes by people, and changes by the system only
   * in resources that people write (decision 0014).
   */
  keeps: (resource: Any) => boolean
  note: (change: Change) => void
  /** Returns one statement that writes all recorded changes; undefined if there are none. Then starts afresh. */
  take: () => Sql | undefined
  /** Rows recorded since the last `take`. */
  touched: () => { resource: string; rowId: string }[]
  /** Returns a function that restores the current state, for when a savepoint is rolled back. */
  mark: () => () => void
}

const SYSTEM = '0'

/** Collects the changes of one database handle, merged by row, so that one statement writes them. */
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
          // Values that are back to the original within the unit are left out; secrets are null on both sides and count
          // as changed.
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

/** Returns old and new values of the fields that differ; undefined if none does. */
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

/** Whether the value may never be read again, by its field declaration or its name. */
export const isSecretFieldValue = (field: Field, key: string, row: Record<string, unknown>): boolean =>
  isWriteOnlyField(field) || (typeof row[key] === 'string' && isSecretInRow(row, key))
