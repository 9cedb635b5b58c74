import { Refused } from '#kit/server/refused.ts'
import { serve } from '#kit/server/room.ts'
import type { Db } from '#kit/server/db.ts'
import { stableId } from '#kit/server/snowflake.ts'
import sql from 'sql-template-tag'
import { paramsChanged } from './caches.ts'
import { param } from './param.resource.ts'

/** Menus a new tenant's administrator gets besides the business menus of the rooms. */
export const tenantMenuCodes = ['desk', 'flow', 'work', 'monitor', 'resource', 'role', 'user', 'dept', 'post', 'dictbiz', 'topmenu']

const builtIn: Record<string, { name: string; value: string; remark?: string }> = {
  'account.registerUser': { name: '是否开启注册功能', value: 'true', remark: 'true 开启，false 关闭' },
  'account.initPassword': { name: '账号初始密码', value: '123456' },
  'account.failCount': { name: '登录失败锁定次数', value: '5' },
  'order.payMinutes': { name: '未支付订单保留分钟数', value: '15' },
  'refund.secondSignatureAbove': { name: '退款超过多少元需要第二人签字', value: '200' },
  'tenant.default.password': { name: '新租户管理员密码', value: 'admin' },
  'tenant.default.accountNumber': { name: '新租户账号额度', value: '100', remark: '-1 为不限' },
  'tenant.default.menuCode': { name: '新租户菜单', value: tenantMenuCodes.join(',') },
}

export const paramServer = serve(param, {
  beforeSave: (draft, was) => {
    if (was && was.paramKey! in builtIn && draft.paramKey !== undefined && draft.paramKey !== was.paramKey) throw new Refused('param_in_use', { key: was.paramKey })
  },
  afterSave: (_row, _was, { db, services }) => paramsChanged(db, services),
  beforeRemove: (rows, call) => {
    const kept = rows.find((row) => row.paramKey! in builtIn)
    if (kept) throw new Refused('param_in_use', { key: kept.paramKey })
    paramsChanged(call.db, call.services)
  },
})

/** Adds the built-in parameters that are missing; what a person changed stays. */
export async function seedParams(db: Db, values: Record<string, string>): Promise<void> {
  for (const [key, { name, value, remark }] of Object.entries(builtIn)) {
    await db.run(sql`insert into sys_param (id, param_name, param_key, param_value, remark) values (${stableId(`param:${key}`)}, ${name}, ${key}, ${values[key] ?? value}, ${remark ?? null}) on conflict do nothing`)
  }
}
