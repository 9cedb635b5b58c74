import type { PatchOf, RowOf } from '#kit/resource/index.ts'
import { permissionCodeOf } from '#kit/resource/define-resource.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { visibleFields } from '#kit/server/database/data-scope.ts'
import { empty, readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { notDeletedSql, tableNameSql } from '#kit/server/database/row-sql.ts'
import { unitOfWorkOptionsForRead, referenceableRowsSql } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, defineRoute, type Call } from '#kit/server/module/module.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { aiTask, type resourceNameByAiTarget } from './ai-task.resource.ts'

const TARGETS_MAX = 200

type Target = {
  /** Resource of the targets. */
  family: string
  list: Sql
  /** Column that tells rows with the same name apart; `field` is its field, if any, for the permission check. */
  extra: Sql
  field?: string
  more?: Sql
  tail: Sql
}

/** Possible targets in a shop by kind: the resource, the columns and the order of its rows (alias `r`). */
const targets: Record<keyof typeof resourceNameByAiTarget, Target> = {
  camera: {
    family: 'deviceInfo',
    list: sql`r.id, r.name, r.online`,
    extra: sql`coalesce(r.position, '')`,
    field: 'position',
    more: sql` and r.type in ('camera', 'nvr')`,
    tail: sql`order by r.name, r.id limit ${TARGETS_MAX}`,
  },
  shelf: {
    family: 'goodInfo',
    list: sql`min(r.id) as id, r.shelf_no as name, true as online`,
    extra: sql`count(*)::text`,
    more: sql` and r.shelf_no is not null`,
    tail: sql`group by r.shelf_no order by r.shelf_no limit ${TARGETS_MAX}`,
  },
  order: {
    family: 'shoppingOrder',
    list: sql`r.id, r.order_no as name, true as online`,
    extra: sql`coalesce(r.summary, '')`,
    field: 'summary',
    tail: sql`order by r.create_time desc, r.id desc limit 50`,
  },
  visit: {
    family: 'customerVisitLog',
    list: sql`r.id, to_char(r.enter_time, 'YYYY-MM-DD HH24:MI') as name, true as online`,
    extra: sql`coalesce(r.result, '')`,
    field: 'result',
    tail: sql`order by r.enter_time desc, r.id desc limit 50`,
  },
  report: {
    family: 'basicShopInfo',
    list: sql`r.id, r.shop_name as name, true as online`,
    extra: sql`''`,
    tail: empty,
  },
}

/** Selects targets of a kind in a shop that the caller may reference: same tenant and data scope as in a picker. */
function rowsOf(call: Call, { family, more = empty }: Target, shopId: string): Sql {
  const resource = call.services.registry.resource(family)
  const ofShop = family === basicShopInfo.name ? sql`r.id = ${shopId}` : sql`r.shop_id = ${shopId}`
  const ofTenant = call.caller.isPlatform ? empty : sql` and r.tenant_id = ${call.caller.tenantId}`
  return sql`from ${tableNameSql(resource)} r where
    ${ofShop}${more}${ofTenant}${notDeletedSql(resource)}${referenceableRowsSql(call, resource)}`
}

/**
 * Returns the extra column only for callers who may list the resource and read the field; names are for everybody who
 * edits tasks.
 */
function extraOf({ caller, services }: Call, { family, extra, field }: Target): Sql {
  const resource = services.registry.resource(family)
  const isSeen =
    !field ||
    (hasPermission(caller, permissionCodeOf(resource, 'list')) && (visibleFields(resource, caller)?.has(field) ?? true))
  return isSeen ? extra : sql`''`
}

const targetOf = (type: string | null | undefined): Target => {
  const found = Object.hasOwn(targets, type ?? '') ? targets[type as keyof typeof targets] : undefined
  if (!found) throw invalidFieldRefusal(aiTask, 'targetType', 'not_a_choice')
  return found
}

/**
 * Refuses targets of another kind or shop and those the caller may not reference. Checks the combination of changed and
 * unchanged kind, shop and targets.
 */
export async function requireValidAiTargets(
  draft: PatchOf<typeof aiTask>,
  was: RowOf<typeof aiTask> | undefined,
  call: Call,
): Promise<void> {
  const { db } = call
  const now = { ...was, ...draft }
  const isTouched = (['targetIds', 'targetType', 'shopId'] as const).some(
    (key) => draft[key] !== undefined && JSON.stringify(draft[key]) !== JSON.stringify(was?.[key]),
  )
  if (!isTouched || !now.targetIds?.length) return
  const found = await db.one<{ n: number }>(
    sql`select count(*)::int as n ${rowsOf(call, targetOf(now.targetType), now.shopId!)}
      and r.tenant_id = ${db.tenantId} and r.id = any(${now.targetIds}::bigint[])`,
  )
  if (found!.n !== now.targetIds.length) throw invalidFieldRefusal(aiTask, 'targetIds', 'not_found')
}

export const aiTargetListRoute = defineRoute({
  method: 'GET',
  path: '/api/shop/aiTask/targetList',
  title: { zh: '任务对象', en: 'Task targets' },
  can: 'aiTask',
  tx: false,
  input: {
    shopId: { ...aiTask.fields.shopId, required: true },
    targetType: { ...aiTask.fields.targetType, required: true },
  },
  handle: async (call) => {
    const { shopId, targetType } = call.input
    const own = call.caller.limits.shop
    const target = targetOf(targetType)
    const ofTenant = call.caller.isPlatform ? sql`` : sql` and tenant_id = ${call.caller.tenantId}`
    if (own && !own.includes(shopId)) throw new Refused('not_found', { label: basicShopInfo.label })
    const [shops, found] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
      sql`select 1 from basic_shop_info where id = ${shopId}${ofTenant} and is_deleted = 0`,
      sql`select ${target.list}, ${extraOf(call, target)} as extra ${rowsOf(call, target, shopId)} ${target.tail}`,
    ])
    if (!shops!.length) throw new Refused('not_found', { label: basicShopInfo.label })
    return found!.map((row) => ({
      id: String(row.id),
      name: row.name ?? '',
      online: row.online === true,
      extra: row.extra ?? '',
    }))
  },
})
