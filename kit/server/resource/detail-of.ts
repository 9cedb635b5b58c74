import sql from 'sql-template-tag'
import { kindOf } from '../../fields/kinds.ts'
import { readBatch } from '../database/db.ts'
import { readBinding, visibleRows } from './list-of.ts'
import { parseId } from '../../fields/field-kind.ts'
import { withCustomFields } from './custom-fields.ts'
import { presentRows, readColumns } from './present.ts'
import { Refused } from '../refused.ts'
import type { Call, ServedResource } from '../module.ts'
import { column } from '../database/rows.ts'

/** GET {base}/detail: one row by its id (or the family's own key). Not yours is not there: the same 404. */
export async function detailOf(given: ServedResource, call: Call): Promise<Record<string, unknown>> {
  const served = withCustomFields(given, call)
  const { resource, hooks } = served
  const key = [hooks.key, hooks.detailBy].find((one) => one && call.query[one]) ?? 'id'
  const asked = call.query[key]
  if (!asked) throw new Refused('missing_parameter', { name: hooks.key ?? 'id' })
  const parsed = key === 'id' ? parseId(asked) : kindOf(resource.fields[key]).parse(asked, resource.fields[key])
  // Made where it is thrown: an error notes where it was made, which costs as much as presenting a row.
  const missing = () => new Refused('not_found', { label: resource.label })
  if ('problem' in parsed) throw missing()
  await call.services.labels.ready(call.caller.tenantId)
  const statement = sql`select ${readColumns(call.services.registry, resource, 'detail')} ${visibleRows(served, call)}
    and r.${column(key)} = ${parsed.value} order by r.id desc limit 1`
  const [rows] = await readBatch(call.services.pool, readBinding(call), [statement])
  if (!rows![0]) throw missing()
  const [wire] = await presentRows(call, resource, hooks, [rows![0]], 'detail')
  return wire!
}
