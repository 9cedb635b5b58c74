import { readTogether, sql } from '#kit/server/db.ts'
import { boundOf } from '#kit/server/list-of.ts'
import { Refused } from '#kit/server/refused.ts'
import { defineRoom, route, serve } from '#kit/server/room.ts'
import { basicShopInfo } from '#domains/shops/index.ts'
import { aiDictionaries, aiTask, aiTaskLog } from './ai-task.resource.ts'

const TARGETS_MAX = 200

/** What a task may look at in a shop, by kind; `extra` tells alike ones apart. */
const targets = {
  camera: (shopId: string) => sql`select id, name, online, coalesce(position, '') as extra from device_info where shop_id = ${shopId} and type in ('camera', 'nvr') and is_deleted = 0 order by name, id limit ${TARGETS_MAX}`,
  shelf: (shopId: string) => sql`select min(id) as id, shelf_no as name, true as online, count(*)::text as extra from good_info where shop_id = ${shopId} and shelf_no is not null and is_deleted = 0 group by shelf_no order by shelf_no limit ${TARGETS_MAX}`,
  order: (shopId: string) => sql`select id, order_no as name, true as online, coalesce(summary, '') as extra from shopping_order where shop_id = ${shopId} order by create_time desc, id desc limit 50`,
  visit: (shopId: string) => sql`select id, to_char(enter_time, 'YYYY-MM-DD HH24:MI') as name, true as online, coalesce(result, '') as extra from customer_visit_log where shop_id = ${shopId} order by enter_time desc, id desc limit 50`,
  report: (shopId: string) => sql`select id, shop_name as name, true as online, '' as extra from basic_shop_info where id = ${shopId}`,
} as const

export default defineRoom({
  name: 'ai',
  label: { zh: '智能任务', en: 'AI tasks' },
  resources: [serve(aiTask), serve(aiTaskLog)],
  routes: [
    route({
      method: 'GET', path: '/api/shop/aiTask/targetList', title: { zh: '任务对象', en: 'What a task may look at' }, can: 'aiTask', tx: false,
      input: { shopId: { ...aiTask.fields.shopId, required: true }, targetType: { ...aiTask.fields.targetType, required: true } },
      handle: async (call) => {
        const { shopId, targetType } = call.input
        const own = call.caller.limits.shop
        const ask = targets[targetType as keyof typeof targets]
        const ofTenant = call.caller.isPlatform ? sql`` : sql` and tenant_id = ${call.caller.tenantId}`
        if (!ask || (own && !own.includes(shopId!))) throw new Refused('not_found', { label: basicShopInfo.label })
        const [shops, found] = await readTogether(call.services.pool, boundOf(call), [sql`select 1 from basic_shop_info where id = ${shopId}${ofTenant} and is_deleted = 0`, ask(shopId!)])
        if (!shops!.length) throw new Refused('not_found', { label: basicShopInfo.label })
        return found!.map((row) => ({ id: String(row.id), name: row.name ?? '', online: row.online === true, extra: row.extra ?? '' }))
      },
    }),
  ],
  dictionaries: aiDictionaries,
  menus: [{ code: 'ai', label: { zh: '智能任务', en: 'AI tasks' }, path: '/ai', icon: 'robot', sort: 88 }],
})
