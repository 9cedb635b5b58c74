import './refusals.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { stockDictionaries } from './dictionaries.ts'
import { warnExpiringStockJob } from './expiring.job.ts'
import { goodSalesRoute } from './good-sales.server.ts'
import { goodStockExtension } from './good-stock.server.ts'
import { returnLogServer } from './returns.server.ts'
import { stockTransfer } from './stock-transfer.resource.ts'
import { stockTransferServer } from './stock-transfer.server.ts'
import { stocktake } from './stocktake.resource.ts'
import { stocktakeCountTable, stocktakeLineServer, stocktakeRoutes, stocktakeServer } from './stocktake.server.ts'
import { storageBatch } from './storage-batch.resource.ts'
import { storageBatchServer, storageLogServer } from './storage.server.ts'

const goodPage = (id: unknown) => `/goods/good/${String(id)}`
const batchLine = {
  title: 'goodId',
  notes: ['remaining', 'batchNo', 'shopId'],
  time: 'expiryDate',
  due: true,
  to: ({ goodId }: Record<string, unknown>) => goodPage(goodId),
} as const

export default defineModule({
  name: 'catalogue/inventory',
  label: { zh: '库存', en: 'Stock' },
  resources: [
    storageBatchServer,
    storageLogServer,
    returnLogServer,
    stockTransferServer,
    stocktakeServer,
    stocktakeLineServer,
  ],
  extends: [goodStockExtension],
  tables: [stocktakeCountTable],
  jobs: [warnExpiringStockJob],
  routes: [goodSalesRoute, ...stocktakeRoutes],
  dictionaries: stockDictionaries,
  todos: [
    defineTodo(stockTransfer, {
      key: 'transfersOnTheWay',
      label: { zh: '调拨待收货', en: 'Transfers to receive' },
      icon: 'truck',
      tone: 'warn',
      sort: 30,
      own: ['isComing'],
      query: () => ({ status: '1', isComing: 'true' }),
      can: 'stockTransfer_receive',
      line: { title: 'summary', notes: ['fromShopId', 'toShopId', 'transferNo'], time: 'createTime' },
    }),
    defineTodo(stocktake, {
      key: 'stocktakesOpen',
      label: { zh: '盘点未过账', en: 'Counts not posted' },
      icon: 'audit',
      tone: 'warn',
      sort: 60,
      query: () => ({ status: '0' }),
      can: 'stocktake_count',
      line: {
        title: 'shopId',
        notes: ['scope', 'goodTypeId', 'shelfNo', 'counted', 'goods'],
        time: 'createTime',
      },
    }),
    defineTodo(storageBatch, {
      key: 'expired',
      label: { zh: '已过期批次', en: 'Expired batches' },
      icon: 'stop',
      tone: 'bad',
      query: ({ daysAgo }) => ({ remaining_ge: '1', expiryDate_le: daysAgo(1) }),
      order: { ascs: 'expiryDate' },
      line: batchLine,
    }),
    defineTodo(storageBatch, {
      key: 'expiring',
      label: { zh: '临期批次', en: 'Batches expiring soon' },
      icon: 'clock-circle',
      tone: 'warn',
      sort: 80,
      own: ['isExpiring'],
      query: ({ today }) => ({ isExpiring: 'true', expiryDate_ge: today }),
      order: { ascs: 'expiryDate' },
      line: batchLine,
    }),
  ],
  shortcuts: [
    {
      key: 'scan',
      label: { zh: '扫码查货', en: 'Scan product' },
      icon: 'scan',
      path: '/goods/scan',
      can: 'goodInfo',
      sort: 10,
    },
    {
      key: 'receive',
      label: { zh: '收货入库', en: 'Receive stock' },
      icon: 'import',
      path: '/goods/scan/receive',
      can: 'storageBatch_add',
      sort: 20,
    },
    {
      key: 'count',
      label: { zh: '开始盘点', en: 'Start count' },
      icon: 'audit',
      path: '/goods/count/new',
      can: 'stocktake_count',
      sort: 30,
    },
    {
      key: 'loss',
      label: { zh: '登记报损', en: 'Record write-off' },
      icon: 'delete',
      path: '/goods/scan/loss',
      can: 'goodInfo_loss',
      sort: 40,
    },
  ],
})
