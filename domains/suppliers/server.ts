import './refusals.ts'
import { defineRoom } from '#kit/server/room.ts'
import { sql } from '#kit/server/database/db.ts'
import { refuseShopRemoval } from '#domains/shops/doors.ts'
import { supplierDictionaries } from './dictionaries.ts'
import {
  supplierCartServer,
  supplierGoodsServer,
  supplierInfoServer,
  supplierOrderDetailServer,
  supplierOrderServer,
  supplierRoutes,
} from './suppliers.server.ts'

refuseShopRemoval(async (db, ids) => {
  const row = await db.one<{ shopId: string }>(
    sql`select shop_id from supplier_order where tenant_id = ${db.tenantId}
      and shop_id = any(${ids}::bigint[]) limit 1`,
  )
  return row && { shopId: row.shopId, code: 'shop_has_orders' }
})

export default defineRoom({
  name: 'suppliers',
  label: { zh: '采购', en: 'Buying' },
  resources: [
    supplierInfoServer,
    supplierGoodsServer,
    supplierCartServer,
    supplierOrderServer,
    supplierOrderDetailServer,
  ],
  routes: supplierRoutes,
  dictionaries: supplierDictionaries,
  menus: [{ code: 'supplier', label: { zh: '采购', en: 'Buying' }, path: '/supplier', icon: 'shopping', sort: 60 }],
})
