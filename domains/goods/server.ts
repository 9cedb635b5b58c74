import './refusals.ts'
import { sql } from '#kit/server/database/db.ts'
import { defineRoom, needOf, serve } from '#kit/server/room.ts'
import { refuseShopRemoval } from '#domains/shops/doors.ts'
import { goodInfo } from './good-info.resource.ts'
import { goodPriceLog } from './good-price-log.resource.ts'
import { barcodesServer, goodInfoServer, goodsRoutes, goodTypeServer } from './goods.server.ts'

refuseShopRemoval(async (db, ids) => {
  const row = await db.one<{ shopId: string }>(
    sql`select shop_id from good_info where tenant_id = ${db.tenantId} and shop_id = any(${ids}::bigint[])
      and is_deleted = 0 limit 1`,
  )
  return row && { shopId: row.shopId, code: 'shop_has_goods' }
})

export default defineRoom({
  name: 'goods',
  label: { zh: '商品', en: 'Goods' },
  resources: [goodInfoServer, goodTypeServer, barcodesServer, serve(goodPriceLog)],
  routes: goodsRoutes,
  needs: [
    needOf(goodInfo, {
      key: 'lowStock',
      label: { zh: '库存不足', en: 'Low stock' },
      icon: 'inbox',
      tone: 'warn',
      sort: 70,
      own: ['isLow'],
      query: () => ({ isLow: 'true', onSale: 'true' }),
      order: { ascs: 'stock' },
      line: { title: 'name', notes: ['stock', 'shelfNo', 'shopId'] },
    }),
  ],
  menus: [{ code: 'goods', label: { zh: '商品', en: 'Goods' }, path: '/goods', icon: 'shopping', sort: 20 }],
})
