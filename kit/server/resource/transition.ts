import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Action, Resource, RowOf, UpdateOf } from '../../resource/define-resource.ts'
import { stateValuesOf, type StateMachine } from '../../resource/states.ts'
import type { LocalizedText } from '../../base/localized-text.ts'
import { canReadField } from '../database/data-scope.ts'
import type { Db } from '../database/db.ts'
import { columnNameSql } from '../database/row-sql.ts'
import { updateRowsWhen, type UpdateCondition } from '../database/rows.ts'
import type { Call } from '../module/module.ts'
import { Refused } from '../base/refused.ts'
import { publishRowsChanged } from './submit-of.ts'
import { changedTopicOf } from '../../resource/topic.ts'

/** A resource that declares states. */
type StatefulResource = Resource<any, any, StateMachine<string, any, any>>

/** Names of the moves a resource declares, without those made by SQL. */
export type MoveName<R extends StatefulResource> = MovesByCode<R['states']['moves']>
type MovesByCode<M> = { [N in keyof M]: M[N] extends { by: string } ? never : N }[keyof M] & string
type MoveFrom<R extends StatefulResource, M extends MoveName<R>> = R['states']['moves'][M]['from'][number]
type MoveTo<R extends StatefulResource, M extends MoveName<R>> = R['states']['moves'][M]['to']

type MoveOptions<R extends StatefulResource, M extends MoveName<R>> = {
  /** Fewer states than the move's own `from`. */
  from?: readonly MoveFrom<R, M>[]
  /** Further condition, on alias `was`: the locked row. */
  when?: Sql
  /** Assignments no value of a field can express, such as `attempts = r.attempts + 1`. */
  set?: Sql
} & (MoveTo<R, M> extends string ? unknown : { /** Which of the move's states. */ to: MoveTo<R, M>[number] })

/** A patch and options; both may be left out unless the move leads to several states. */
type MoveArguments<R extends StatefulResource, M extends MoveName<R>> =
  MoveTo<R, M> extends string
    ? [patch?: UpdateOf<R>, options?: MoveOptions<R, M>]
    : [patch: UpdateOf<R>, options: MoveOptions<R, M>]

type AnyOptions = { from?: readonly string[]; when?: Sql; set?: Sql; to?: string }

function stateSql(alias: 'r' | 'was', { states }: StatefulResource, names: readonly string[]): Sql {
  const column = sql`${raw(alias)}.${columnNameSql(states.field)}`
  const values = stateValuesOf(states, names)
  const known = values.filter((value) => value !== null)
  const type = raw(typeof known[0] === 'number' ? 'int[]' : 'text[]')
  const one = sql`${column} = any(${known}::${type})`
  return known.length === values.length ? one : sql`(${column} is null or ${one})`
}

const targetOf = ({ states }: StatefulResource, move: string, to: string | undefined): Record<string, unknown> => ({
  [states.field]: states.values[to ?? (states.moves[move].to as string)],
})

/** Tells those who list the resource, and the topics it declares, that rows have moved. */
function publishMoved(db: Db, resource: StatefulResource, rows: readonly Record<string, any>[]): void {
  if (!rows.length) return
  const { tells = [] } = resource.states
  if (!tells.some(({ topic }) => topic.name === changedTopicOf(resource).name))
    publishRowsChanged({ db }, resource, rows)
  for (const { topic, ids, permission, user, limits: fields = resource.scope } of tells)
    for (const row of rows) {
      const limits = Object.fromEntries(
        Object.entries(fields).flatMap(([limit, key]) => (row[key] ? [[limit, String(row[key])]] : [])),
      )
      const scope = user ? { userIds: row[user] ? [String(row[user])] : [] } : { permission, limits }
      db.publish(topic, ids ? { ids: [String(row[ids])] } : {}, scope)
    }
}

async function move(
  db: Db,
  resource: StatefulResource,
  name: string,
  found: Pick<UpdateCondition, 'where' | 'tail'> & { isOne: boolean },
  [patch = {}, { from, when, set, to } = {}]: [patch?: Record<string, unknown>, options?: AnyOptions],
): Promise<any[]> {
  const states = from ?? (resource.states.moves[name].from as readonly string[])
  const { where, tail, isOne } = found
  // One row is locked whatever its state, since somebody may be about to move it into one of `from`.
  const conditions = [isOne ? stateSql('was', resource, states) : undefined, when].filter((one) => one !== undefined)
  const rows = await updateRowsWhen(
    db,
    resource,
    {
      where: isOne ? where : sql`${where} and ${stateSql('r', resource, states)}`,
      tail,
      set,
      when: conditions.length ? join(conditions, ' and ') : undefined,
    },
    { ...patch, ...targetOf(resource, name, to) },
  )
  publishMoved(db, resource, rows)
  return rows
}

/**
 * Makes a declared move of one row in one statement, which waits for others that hold the row, and publishes it. Gives
 * the row as it is now; undefined, with nothing changed, if the row is not in the move's `from` or does not exist.
 */
export async function transition<R extends StatefulResource, const M extends MoveName<R>>(
  db: Db,
  resource: R,
  id: string,
  name: M,
  ...rest: MoveArguments<R, M>
): Promise<RowOf<R> | undefined> {
  const [row] = await move(db, resource, name, { where: sql`r.id = ${id}`, isOne: true }, rest as [])
  return row
}

/**
 * Makes a declared move of all rows that meet `where` (alias `r`) and are in its `from`, locked in order of their ids.
 * Returns those that moved.
 */
export async function transitionAll<R extends StatefulResource, const M extends MoveName<R>>(
  db: Db,
  resource: R,
  where: Sql,
  name: M,
  ...rest: MoveArguments<R, M>
): Promise<RowOf<R>[]> {
  return move(db, resource, name, { where: sql`(${where})`, tail: sql`order by r.id`, isOne: false }, rest as [])
}

/** `transition` that refuses where the move is not possible; in a person's call with the state the row is in. */
export async function requireTransition<R extends StatefulResource, const M extends MoveName<R>>(
  call: Pick<Call, 'db'> & Partial<Pick<Call, 'caller' | 'lang' | 'services'>>,
  resource: R,
  id: string,
  name: M,
  ...rest: MoveArguments<R, M>
): Promise<RowOf<R>> {
  const row = await transition(call.db, resource, id, name, ...rest)
  if (row) return row
  const now = await call.db.get(resource, id)
  if (!now) throw new Refused('not_found', { label: resource.label })
  throw moveRefusal(call, resource, moveLabelOf(resource, name), now)
}

/** What people call a move: the label of its action, or its own. */
function moveLabelOf(resource: StatefulResource, name: string): LocalizedText {
  const action = Object.values(resource.actions as Record<string, Action>).find((one) => one.move === name)
  return action?.label ?? resource.states.moves[name].label ?? resource.label
}

/**
 * Returns the refusal of an action for a row whose state does not allow it. It names the state, unless that is hidden
 * from the caller or there is none.
 */
export function moveRefusal(
  { caller, db, lang, services }: Pick<Call, 'db'> & Partial<Pick<Call, 'caller' | 'lang' | 'services'>>,
  resource: StatefulResource,
  action: LocalizedText,
  row: Record<string, unknown>,
): Refused {
  const { field } = resource.states
  const value = row[field]
  const isNamed = caller && lang && services && value !== null && canReadField(resource, field, caller)
  const tenantId = (row.tenantId as string | undefined) ?? db.tenantId
  const state = isNamed ? services.labels.dict(tenantId, resource.fields[field], value, lang) : ''
  return new Refused('action_not_now', { action, state })
}
