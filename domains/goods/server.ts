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

const goodPage = (id: unknown) => `/goods/good/${String(id)}`
const batchLine = { title: 'goodName', notes: ['remaining', 'batchNo', 'shopName'], time: 'expiryDate', due: true, to: ({ goodId }: Record<string, unknown>) => goodPage(goodId) }

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
    { key: 'transfersOnTheWay', label: { zh: '调拨待收货', en: 'Transfers to receive' }, resource: 'stockTransfer', icon: 'truck', tone: 'warn', sort: 30, query: () => ({ status: '1' }), can: 'stockTransfer_receive', line: { title: 'summary', notes: ['fromShopName', 'toShopName', 'transferNo'], time: 'createTime' } },
    { key: 'stocktakesOpen', label: { zh: '盘点未过账', en: 'Stocktakes not posted' }, resource: 'stocktake', icon: 'audit', tone: 'warn', sort: 60, query: () => ({ status: '0' }), can: 'stocktake_count', line: { title: 'shopName', notes: ['scopeName', 'goodTypeName', 'shelfNo', 'counted', 'goods'], time: 'createTime' } },
    { key: 'tagsFailed', label: { zh: '价签更新失败', en: 'Price tags that failed' }, resource: 'priceTag', icon: 'tags', tone: 'bad', query: () => ({ status: '3' }), line: { title: 'goodName', notes: ['tagId', 'shopName'], time: 'lastSyncTime' } },
    {
      key: 'expired', label: { zh: '已过期批次', en: 'Batches expired' }, resource: 'storageBatch', icon: 'stop', tone: 'bad',
      query: ({ today }) => ({ remaining_ge: '1', expiryDate_lt: today }), order: { ascs: 'expiryDate' }, line: batchLine,
    },
    { key: 'lowStock', label: { zh: '库存不足', en: 'Low stock' }, resource: 'goodInfo', icon: 'inbox', tone: 'warn', sort: 70, query: () => ({ isLow: 'true', onSale: 'true' }), order: { ascs: 'stock' }, line: { title: 'name', notes: ['stock', 'shelfNo', 'shopName'] } },
    {
      key: 'expiring', label: { zh: '临期批次', en: 'Batches expiring soon' }, resource: 'storageBatch', icon: 'clock-circle', tone: 'warn', sort: 80,
      query: ({ today }) => ({ isExpiring: 'true', expiryDate_ge: today }), order: { ascs: 'expiryDate' }, line: batchLine,
    },
  ],
  shortcuts: [
    { key: 'scan', label: { zh: '扫码查货', en: 'Look up goods' }, icon: 'scan', path: '/goods/scan', can: 'goodInfo', sort: 10 },
    { key: 'receive', label: { zh: '收货入库', en: 'Receive goods' }, icon: 'import', path: '/goods/scan/receive', can: 'storageBatch_add', sort: 20 },
    { key: 'count', label: { zh: '开始盘点', en: 'Count stock' }, icon: 'audit', path: '/goods/count/new', can: 'stocktake_count', sort: 30 },
    { key: 'loss', label: { zh: '登记报损', en: 'Record a loss' }, icon: 'delete', path: '/goods/scan/loss', can: 'goodInfo_loss', sort: 40 },
  ],
  menus: [{ code: 'goods', label: { zh: '商品', en: 'Goods' }, path: '/goods', icon: 'shopping', sort: 20 }],
})
