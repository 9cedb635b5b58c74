import { goodIdField, upcField } from '#domains/catalogue/products/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

/** Filter for posted lines: those of open stocktakes still change. */
const posted = { posted_notnull: 'true' }

/** One product in a stocktake: its stock at the moment of counting, and the counted quantity. */
export const stocktakeLine = defineResource({
  name: 'stocktakeLine',
  path: '/api/shop/stocktakeLine',
  label: { zh: '盘点明细', en: 'Inventory count line' },
  tenancy: 'tenant',
  writer: 'system',
  scope: { shop: 'shopId' },
  menu: { under: 'goods', path: '/goods/stocktakeLine', icon: 'ordered-list', sort: 33 },
  title: 'upc',
  fields: {
    stocktakeId: f.ref('stocktake', {
      label: { zh: '盘点单', en: 'Inventory count' },
      labelKey: 'countNo',
      search: 'eq',
      width: 160,
    }),
    shopId: shopIdField(),
    goodId: goodIdField(),
    upc: upcField(),
    shelfNo: f.text({ label: { zh: '货架号', en: 'Shelf' }, max: 20, search: 'likeright', width: 90 }),
    opening: f.number({ label: { zh: '开始时库存', en: 'Opening stock' }, width: 100 }),
    stock: f.number({ label: { zh: '当前库存', en: 'Current stock' }, computed: true, form: 'hidden', width: 90 }),
    expected: f.number({
      label: { zh: '应有', en: 'Expected' },
      width: 80,
      help: {
        zh: '点数那一刻的账面库存，之前的销售已扣除',
        en: 'Book stock at the moment of counting, less earlier sales',
      },
    }),
    counted: f.number({ label: { zh: '实盘', en: 'Counted' }, width: 80 }),
    difference: f.number({ label: { zh: '差异', en: 'Discrepancy' }, width: 80 }),
    costPrice: f.money({ label: { zh: '进价', en: 'Cost' }, width: 90 }),
    amount: f.money({ label: { zh: '差异金额（进价）', en: 'Discrepancy value (cost)' }, width: 100 }),
    isMoved: f.boolean({
      label: { zh: '点数期间有变动', en: 'Changed during count' },
      default: false,
      search: 'eq',
      width: 120,
      help: { zh: '点数过程中又有销售或入库，建议复盘', en: 'Sold or received during the count, recount recommended' },
    }),
    counters: f.refs('user', { label: { zh: '盘点人', en: 'Counted by' }, width: 140 }),
    countTime: f.datetime({ label: { zh: '点数时间', en: 'Counted' }, search: 'range', width: 150 }),
    baseSeq: f.number({ label: { zh: '流水序号', en: 'Movement no.' }, form: 'hidden', detail: false }),
    posted: f.number({ label: { zh: '过账数量', en: 'Posted quantity' }, width: 80 }),
  },
  measures: {
    difference: {
      label: { zh: '盘点差异件数', en: 'Count discrepancy (pieces)' },
      help: { zh: '盘盈为正，盘亏为负', en: 'Surplus is positive, shortage negative' },
      sum: 'difference',
      where: posted,
    },
    amount: {
      label: { zh: '盘点差异金额（进价）', en: 'Count discrepancy value (cost)' },
      sum: 'amount',
      where: posted,
    },
    lines: { label: { zh: '盘点商品数', en: 'Products counted' }, where: posted },
  },
  list: {
    columns: [
      'goodId',
      'upc',
      'shelfNo',
      'expected',
      'counted',
      'difference',
      'amount',
      'isMoved',
      'counters',
      'countTime',
      'posted',
      'stocktakeId',
      'shopId',
    ],
    time: 'countTime',
    sort: '-createTime',
  },
  row: { sub: ['shelfNo'], amount: '+difference', state: false },
  unique: [['stocktakeId', 'goodId']],
  indexes: [['stocktakeId', 'shelfNo'], ['goodId']],
})
