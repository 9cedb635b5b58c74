import './refusals.ts'
import { sql } from '#kit/server/db.ts'
import { defineRoom, serve } from '#kit/server/room.ts'
import { refuseShopRemoval } from '#domains/shops/doors.ts'
import { expiringJob } from './expiring.job.ts'
import { goodsDictionaries } from './dictionaries.ts'
import { goodSalesRoute } from './good-sales.server.ts'
import { barcodesServer, goodInfoServer, goodsRoutes, goodTypeServer } from './goods.server.ts'
import { goodPriceLog } from './good-price-log.resource.ts'
import { priceTagLog } from './price-tag-log.resource.ts'
import { priceTagRoutes, priceTagServer } from './price-tag.server.ts'
import { returnLogServer } from './returns.server.ts'
import { shoppingCart, shoppingCartOnline } from './shopping-cart.resource.ts'
import { stockTransferServer } from './stock-transfer.server.ts'
import { stocktakeCountTable, stocktakeLineServer, stocktakeRoutes, stocktakeServer } from './stocktake.server.ts'
import { storageBatchServer, storageLogServer } from './storage.server.ts'

refuseShopRemoval(async (db, ids) => {
  const row = await db.one<{ shopId: string }>(
    sql`select shop_id from good_info where tenant_id = ${db.tenantId} and shop_id = any(${ids as string[]}::bigint[]) and is_deleted = 0 limit 1`,
  )
  return row && { shopId: row.shopId, code: 'shop_has_goods' }
})

export default defineRoom({
  name: 'goods',
  label: { zh: '商品', en: 'Goods' },
  resources: [
    goodInfoServer,
    goodTypeServer,
    storageBatchServer,
    storageLogServer,
    barcodesServer,
    returnLogServer,
    stockTransferServer,
    stocktakeServer,
    stocktakeLineServer,
    serve(goodPriceLog),
    priceTagServer,
    serve(priceTagLog),
    serve(shoppingCart),
    serve(shoppingCartOnline),
  ],
  tables: [stocktakeCountTable],
  jobs: [expiringJob],
  routes: [...goodsRoutes, goodSalesRoute, ...stocktakeRoutes, ...priceTagRoutes],
  dictionaries: goodsDictionaries,
  needs: [
    { key: 'transfersOnTheWay', label: { zh: '调拨待收货', en: 'Transfers to receive' }, resource: 'stockTransfer', icon: 'truck', tone: 'warn', query: () => ({ status: '1' }) },
    { key: 'stocktakesOpen', label: { zh: '盘点未过账', en: 'Stocktakes not posted' }, resource: 'stocktake', icon: 'audit', tone: 'warn', query: () => ({ status: '0' }) },
    { key: 'tagsFailed', label: { zh: '价签更新失败', en: 'Price tags that failed' }, resource: 'priceTag', icon: 'tags', tone: 'bad', query: () => ({ status: '3' }) },
    {
      key: 'expired', label: { zh: '已过期批次', en: 'Batches expired' }, resource: 'storageBatch', icon: 'stop', tone: 'bad',
      query: ({ today }) => ({ remaining_ge: '1', expiryDate_lt: today }), order: { ascs: 'expiryDate' },
    },
    { key: 'lowStock', label: { zh: '库存不足', en: 'Low stock' }, resource: 'goodInfo', icon: 'inbox', tone: 'warn', query: () => ({ isLow: 'true', onSale: 'true' }), order: { ascs: 'stock' } },
    {
      key: 'expiring', label: { zh: '临期批次', en: 'Batches expiring soon' }, resource: 'storageBatch', icon: 'clock-circle', tone: 'warn',
      query: ({ today }) => ({ isExpiring: 'true', expiryDate_ge: today }), order: { ascs: 'expiryDate' },
    },
  ],
  menus: [{ code: 'goods', label: { zh: '商品', en: 'Goods' }, path: '/goods', icon: 'shopping', sort: 20 }],
})
