import { meetsCondition } from '../../fields/base/condition.ts'
import type { Action, Resource } from '../../resource/define-resource.ts'
import { requestBodyObject } from '../request/requested-operation.ts'
import { parseInput, toWire } from '../request/parse-input.ts'
import { Refused } from '../base/refused.ts'
import { withTenantCustomFields } from './custom-fields.ts'
import { requireIdList, forEachTenantOfRows } from './remove-of.ts'
import type { Call, ServedResource } from '../module/module.ts'
import {
  isStaleVersion,
  lockVisibleRow,
  versionConflictRefusal,
  requireVisibleRow,
  requireValidReferences,
  requireRowId,
} from './submit-of.ts'
import { moveRefusal } from './transition.ts'

/**
 * Reads an action's parameters: raw ones (`given`, query before body), and its declared `fields` parsed (`input`).
 * Refuses with a message for each invalid field.
 */
export function actionInput(action: Action, call: Pick<Call, 'body' | 'query'>) {
  const given: Record<string, unknown> = { ...requestBodyObject(call), ...call.query }
  const fields = action.input ?? {}
  return { given, fields, input: parseInput(fields, given) }
}

/** Refuses an action whose conditions the row does not meet; says which state it is in if that is in the way. */
function requireActionPossible(
  resource: Resource<any, any>,
  { enabled, label }: Action,
  row: Record<string, unknown>,
  call: Call,
): void {
  const wire = toWire(resource.fields, row)
  if (meetsCondition(wire, enabled)) return
  const field = resource.states?.field as string | undefined
  if (field && enabled?.[field] && !meetsCondition(wire, { [field]: enabled[field] }))
    throw moveRefusal(call, resource, label, row)
  throw new Refused('action_not_now', { action: label })
}

/**
 * Handles a declared action: finds and locks its rows within tenant and scope, checks the action's condition, calls its
 * handler.
 */
export async function handleActionCall(
  declared: ServedResource,
  name: string,
  action: Action,
  call: Call,
): Promise<unknown> {
  const served = withTenantCustomFields(declared, call)
  const { resource } = served
  const handler = served.actions[name]!
  const { given, fields, input } = actionInput(action, call)
  if (action.on === 'toolbar') {
    // A platform administrator acts for no particular tenant here; the handler decides.
    if (!call.caller.isPlatform) await requireValidReferences(call, fields, input)
    return handler(undefined, input, { ...call, input })
  }
  const ids = action.on === 'row' ? [requireRowId(resource, given.id)] : requireIdList(resource, given.ids)
  let answer: unknown
  await forEachTenantOfRows(call, resource, ids, async (group, db) => {
    const inside = { ...call, db, input }
    await requireValidReferences(inside, fields, input)
    const rows = []
    for (const id of [...group].sort()) {
      const row = await (action.locks === false ? requireVisibleRow : lockVisibleRow)(served, inside, id)
      if (action.on === 'row' && !action.input?.version && isStaleVersion(given.version, row.version))
        throw await versionConflictRefusal(served, inside, id)
      requireActionPossible(resource, action, row, inside)
      rows.push(row)
    }
    answer = await handler(action.on === 'row' ? rows[0] : rows, input, inside)
  })
  return answer
}
