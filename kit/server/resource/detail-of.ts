import sql from 'sql-template-tag'
import { fieldKindOf } from '../../fields/kinds.ts'
import { readBatch } from '../database/db.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from './list-of.ts'
import { parseIdInput } from '../../fields/base/field-kind.ts'
import { withTenantCustomFields } from './custom-fields.ts'
import { presentRows, selectColumnsSql } from './present.ts'
import { Refused } from '../base/refused.ts'
import type { Call, ServedResource } from '../module/module.ts'
import { columnNameSql } from '../database/row-sql.ts'

/**
 * GET {base}/detail: returns one row by id (or the resource's own key). Rows the caller may not see give the same 404
 * as missing ones.
 */
export async function handleDetailCall(given: ServedResource, call: Call): Promise<Record<string, unknown>> {
  const served = withTenantCustomFields(given, call)
  const { resource, hooks } = served
  const key = [hooks.key, hooks.detailBy].find((one) => one && call.query[one]) ?? 'id'
  const input = call.query[key]
  if (!input) throw new Refused('missing_parameter', { name: hooks.key ?? 'id' })
  const parsed =
    key === 'id' ? parseIdInput(input) : fieldKindOf(resource.fields[key]).parse(input, resource.fields[key])
  // Created only when thrown: recording the stack trace costs as much as presenting a row.
  const missing = () => new Refused('not_found', { label: resource.label })
  if ('problem' in parsed) throw missing()
  await call.services.labels.ready(call.caller.tenantId)
  const statement = sql`select ${selectColumnsSql(call.services.registry, resource, 'detail')}
    ${visibleRowsSql(served, call)}
    and r.${columnNameSql(key)} = ${parsed.value} order by r.id desc limit 1`
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [statement])
  if (!rows![0]) throw missing()
  const [wire] = await presentRows(call, resource, hooks, [rows![0]], 'detail')
  return wire!
}
