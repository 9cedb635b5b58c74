import { sql } from '#kit/server/database/db.ts'
import { defineRoute, type Call, type Route } from '#kit/server/module/module.ts'
import {
  attachmentHeaders,
  writeWorkbook,
  type SheetCell,
  type CellStyle,
  type Sheet,
} from '#kit/server/sheets/write-sheet.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { requireReadableAmounts } from './figures.ts'
import { rollupRebuildQueue } from './fold.job.ts'
import {
  loadSalesByShop,
  loadSalesByGoodType,
  loadGoodsSoldRanking,
  loadIncomeByDate,
  statisticsInputFields,
} from './statistics.server.ts'

const EXPORTED_GOODS = '1000'

type SheetColumn = [key: string, label: LocalizedText, look: CellStyle]
const income: SheetColumn[] = [
  ['income', { zh: '收入', en: 'Revenue' }, 'amount'],
  ['refunds', { zh: '退款', en: 'Refunds' }, 'amount'],
  ['net', { zh: '净收入', en: 'Net revenue' }, 'amount'],
  ['orders', { zh: '订单', en: 'Orders' }, 'plain'],
  ['items', { zh: '件数', en: 'Pieces' }, 'plain'],
  ['discount', { zh: '优惠', en: 'Discount' }, 'amount'],
  ['cost', { zh: '成本', en: 'Cost' }, 'amount'],
  ['profit', { zh: '毛利', en: 'Gross profit' }, 'amount'],
]
const goods: SheetColumn[] = [
  ['amount', { zh: '销售额', en: 'Sales' }, 'amount'],
  ['quantity', { zh: '件数', en: 'Pieces' }, 'plain'],
  ['cost', { zh: '成本', en: 'Cost' }, 'amount'],
  ['profit', { zh: '毛利', en: 'Gross profit' }, 'amount'],
  ['refunds', { zh: '退款', en: 'Refunds' }, 'amount'],
  ['refundQuantity', { zh: '退货件数', en: 'Pieces returned' }, 'plain'],
]
const SHEETS: [LocalizedText, SheetColumn[], (call: Call) => Promise<object[]>][] = [
  [
    { zh: '每日', en: 'Daily' },
    [['date', { zh: '日期', en: 'Date' }, 'day'], ...income, ['customers', { zh: '顾客', en: 'Customers' }, 'plain']],
    loadIncomeByDate,
  ],
  [{ zh: '门店', en: 'Stores' }, [['shopName', { zh: '门店', en: 'Store' }, 'text'], ...income], loadSalesByShop],
  [{ zh: '分类', en: 'Categories' }, [['name', { zh: '分类', en: 'Category' }, 'text'], ...goods], loadSalesByGoodType],
  [
    { zh: '商品', en: 'Products' },
    [
      ['name', { zh: '商品', en: 'Products' }, 'text'],
      ['upc', { zh: '条码', en: 'Barcode' }, 'text'],
      ['shopName', { zh: '门店', en: 'Store' }, 'text'],
      ...goods,
    ],
    (call) => loadGoodsSoldRanking({ ...call, query: { ...call.query, size: EXPORTED_GOODS } }),
  ],
]

const cell = (value: unknown, look: CellStyle): SheetCell =>
  value === undefined || value === null ? '' : look === 'amount' || look === 'plain' ? Number(value) : String(value)

/** Builds a workbook of the figures of a period: by day, shop, type and product. */
async function exported(call: Call) {
  requireReadableAmounts(call)
  const sheets: Sheet[] = []
  for (const [name, columns, rows] of SHEETS)
    sheets.push({
      name: name[call.lang],
      headings: columns.map(([, label, look]) => ({ text: label[call.lang], width: look === 'text' ? 24 : 14, look })),
      rows: (await rows(call)).map((row) =>
        columns.map(([key, , look]) => cell((row as Record<string, unknown>)[key], look)),
      ),
    })
  return call.reply({
    headers: attachmentHeaders(call.lang === 'zh' ? '经营分析' : 'Business analysis'),
    body: await writeWorkbook(sheets),
  })
}

export const businessAnalysisRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/shop/statistics/export',
    title: { zh: '导出经营分析', en: 'Export sales performance' },
    can: 'businessAnalysis',
    tx: false,
    documentedInput: statisticsInputFields,
    handle: exported,
  }),
  defineRoute({
    method: 'GET',
    path: '/api/shop/statistics/recount',
    title: { zh: '上次重算', en: 'Last recalculation' },
    can: 'businessAnalysis',
    handle: async (call) => {
      const last = await call.db.one<{ at: string; wrong: number; millis: number }>(
        sql`select at, wrong, millis from statistics_recount where tenant_id = ${call.caller.tenantId}`,
      )
      return last ?? {}
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/shop/statistics/rebuild',
    title: { zh: '重算统计', en: 'Recalculate' },
    can: 'businessAnalysis_rebuild',
    handle: async (call) => {
      await call.db.enqueue(rollupRebuildQueue, {}, { key: 'rebuild' })
      return {}
    },
  }),
]
