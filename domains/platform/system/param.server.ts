import sql from 'sql-template-tag'
import { parseParamNumber, type SystemParam } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, serve, type Call, type ModuleRegistry } from '#kit/server/module/module.ts'
import { deterministicId } from '#kit/server/database/snowflake.ts'
import { publishParamsChanged } from './caches.ts'
import { param } from './param.resource.ts'

const declared = (registry: ModuleRegistry): SystemParam[] =>
  registry.modules.flatMap((module) => [
    ...(module.params ?? []),
    ...(module.retention ?? []).map(({ param }) => param),
  ])
const known = ({ services }: Pick<Call, 'services'>, key: string | null | undefined) =>
  declared(services.registry).find((one) => one.key === key)

export const paramServer = serve(param, {
  beforeSave: (draft, was, call) => {
    const own = known(call, was?.paramKey)
    if (own && draft.paramKey !== undefined && draft.paramKey !== own.key)
      throw new Refused('param_in_use', { key: own.key })
    if (!own) return
    // Name and help of a declared parameter come from the code, in the reader's language, and are not stored.
    delete draft.paramName
    if (draft.remark === own.help.zh || draft.remark === own.help.en) delete draft.remark
    if (!own.number || draft.paramValue === undefined || parseParamNumber(own, draft.paramValue) !== undefined) return
    const value = Number(draft.paramValue)
    const { min, max, decimals = 0 } = own.number
    throw value > max
      ? invalidFieldRefusal(param, 'paramValue', 'too_large', { max })
      : value < min
        ? invalidFieldRefusal(param, 'paramValue', 'too_small', { min })
        : invalidFieldRefusal(param, 'paramValue', 'not_a_number', { decimals })
  },
  present: (wire, rows, call) => {
    for (const [at, row] of rows.entries()) {
      const own = known(call, row.paramKey)
      if (!own) continue
      wire[at]!.paramName = own.label[call.lang]
      if (!row.remark || row.remark === own.help.zh) wire[at]!.remark = own.help[call.lang]
    }
  },
  afterSave: (_row, _was, { db, services }) => publishParamsChanged(db, services),
  beforeRemove: (rows, call) => {
    const kept = rows.find((row) => known(call, row.paramKey))
    if (kept) throw new Refused('param_in_use', { key: kept.paramKey })
    publishParamsChanged(call.db, call.services)
  },
})

/** Adds missing parameters that modules declare; keeps existing values. */
export async function seedParams(db: Db, registry: ModuleRegistry, values: Record<string, string>): Promise<void> {
  for (const { key, label, help, value } of declared(registry)) {
    await db.run(
      sql`insert into sys_param (id, param_name, param_key, param_value, remark)
        values (${deterministicId(`param:${key}`)}, ${label.zh}, ${key}, ${values[key] ?? value}, ${help.zh})
        on conflict do nothing`,
    )
  }
}
