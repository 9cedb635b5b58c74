import { MANAGEMENT_TENANT } from '#kit/server/caller.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Question, RowOf, Words } from '#kit/resource/index.ts'
import { reportView } from './report-view.resource.ts'

type BuiltIn = { name: Words; remark: Words; question: Omit<Question, 'filters'> & Partial<Question> }

/** What shop people ask first. They come with the product, for tenants that are and that will be. */
export const builtIns: Readonly<Record<string, BuiltIn>> = {
  salesByDay: {
    name: { zh: '每日销售', en: 'Sales by day' },
    remark: { zh: '近 30 天，与之前 30 天对比', en: 'The last 30 days beside the 30 before' },
    question: {
      family: 'shoppingOrder',
      time: { field: 'payTime', span: 'last30' },
      rows: ['payTime.day'],
      columns: [],
      measures: ['sales', 'orders', 'average'],
      compare: 'before',
      chart: 'line',
    },
  },
  salesByShop: {
    name: { zh: '门店业绩', en: 'Sales by shop' },
    remark: { zh: '本月各门店，与上月同期对比', en: 'This month by shop, beside the same days of the last' },
    question: {
      family: 'shoppingOrder',
      time: { field: 'payTime', span: 'thisMonth' },
      rows: ['shopId'],
      columns: [],
      measures: ['sales', 'orders', 'average', 'profit'],
      compare: 'before',
      chart: 'bar',
      sort: 'sales',
    },
  },
  shopsByMonth: {
    name: { zh: '门店月度销售', en: 'Shops by month' },
    remark: { zh: '今年每店每月', en: 'This year, each shop and month' },
    question: {
      family: 'shoppingOrder',
      time: { field: 'payTime', span: 'thisYear' },
      rows: ['shopId'],
      columns: ['payTime.month'],
      measures: ['sales'],
      sort: 'sales',
    },
  },
  payments: {
    name: { zh: '支付方式', en: 'Ways of paying' },
    remark: { zh: '近 30 天各支付方式的金额和笔数', en: 'Amounts and orders of the last 30 days by way of paying' },
    question: {
      family: 'shoppingOrder',
      time: { field: 'payTime', span: 'last30' },
      rows: ['payType'],
      columns: [],
      measures: ['sales', 'orders', 'refunded'],
      sort: 'sales',
    },
  },
  bestSellers: {
    name: { zh: '畅销商品', en: 'Best sellers' },
    remark: { zh: '近 30 天下单最多的 50 种', en: 'The 50 goods most ordered in the last 30 days' },
    question: {
      family: 'shoppingOrderDetail',
      time: { field: 'createTime', span: 'last30' },
      rows: ['goodId', 'shopId'],
      columns: [],
      measures: ['quantity', 'amount', 'profit', 'refunded'],
      sort: 'quantity',
      top: 50,
    },
  },
  refundsByShop: {
    name: { zh: '退款情况', en: 'Refunds' },
    remark: { zh: '近 30 天各门店退款', en: 'Refunds of the last 30 days by shop' },
    question: {
      family: 'refunds',
      time: { field: 'createTime', span: 'last30' },
      rows: ['shopId'],
      columns: [],
      measures: ['refunds', 'amount', 'asked', 'askedAmount'],
      compare: 'before',
      sort: 'amount',
    },
  },
  visitsByResult: {
    name: { zh: '到店转化', en: 'Visits and purchases' },
    remark: { zh: '近 30 天各门店到店结果', en: 'What came of the visits of the last 30 days, by shop' },
    question: {
      family: 'customerVisitLog',
      time: { field: 'enterTime', span: 'last30' },
      rows: ['shopId'],
      columns: ['result'],
      measures: ['visits'],
      sort: 'visits',
    },
  },
  stockValue: {
    name: { zh: '库存金额', en: 'Stock value' },
    remark: { zh: '现有库存按门店和分类', en: 'What is in stock now, by shop and type' },
    question: {
      family: 'goodInfo',
      rows: ['goodTypeId'],
      columns: ['shopId'],
      measures: ['value'],
      sort: 'value',
    },
  },
  expiring: {
    name: { zh: '效期分布', en: 'Expiry by month' },
    remark: { zh: '还有剩余的批次按到期月份', en: 'Batches with something left, by the month they expire in' },
    question: {
      family: 'storageBatch',
      filters: { remaining_gt: '0', expiryDate_notnull: 'true' },
      rows: ['expiryDate.month'],
      columns: ['shopId'],
      measures: ['remaining'],
    },
  },
  losses: {
    name: { zh: '库存损耗', en: 'Losses of stock' },
    remark: { zh: '近 90 天报损、盘点和更正', en: 'Losses, counts and corrections of the last 90 days' },
    question: {
      family: 'storageLog',
      filters: { type_in: 'loss,stocktake,correct' },
      time: { field: 'createTime', span: 'last90' },
      rows: ['shopId'],
      columns: ['type'],
      measures: ['change'],
    },
  },
  recharges: {
    name: { zh: '会员充值', en: 'Recharges' },
    remark: { zh: '今年每月充值', en: 'This year by month' },
    question: {
      family: 'rechargeLog',
      time: { field: 'createTime', span: 'thisYear' },
      rows: ['createTime.month'],
      columns: [],
      measures: ['recharges', 'amount', 'gift', 'refunded'],
      chart: 'bar',
    },
  },
  purchases: {
    name: { zh: '采购汇总', en: 'Purchases' },
    remark: { zh: '今年各供应商', en: 'This year by supplier' },
    question: {
      family: 'supplierOrder',
      time: { field: 'createTime', span: 'thisYear' },
      rows: ['supplierId'],
      columns: [],
      measures: ['orders', 'amount', 'received', 'settled'],
      sort: 'amount',
    },
  },
  eventsByShop: {
    name: { zh: '事件统计', en: 'Events' },
    remark: { zh: '近 30 天各门店、各类事件', en: 'Events of the last 30 days by shop and kind' },
    question: {
      family: 'event',
      time: { field: 'occurTime', span: 'last30' },
      rows: ['type'],
      columns: ['shopId'],
      measures: ['events'],
      sort: 'events',
    },
  },
}

/** The name and remark of a report that came with the product, for a reader of either language. */
export function builtInWords(row: Partial<RowOf<typeof reportView>>, lang: 'zh' | 'en') {
  const known = row.builtIn ? builtIns[row.builtIn] : undefined
  if (!known) return {}
  return {
    name: row.name === known.name.zh ? known.name[lang] : row.name,
    remark: row.remark === known.remark.zh ? known.remark[lang] : (row.remark ?? ''),
  }
}

/** Writes those that are not there yet, once: what the platform removed or changed stays so. */
export async function seedBuiltIns(db: Db): Promise<void> {
  await db.asTenant(MANAGEMENT_TENANT, async (own) => {
    const there = await own.query<{ builtIn: string }>(
      sql`select built_in from report_view where tenant_id = ${MANAGEMENT_TENANT} and built_in is not null`,
    )
    const known = new Set(there.map(({ builtIn }) => builtIn))
    // The newest stands first in their list.
    for (const [builtIn, { name, remark, question }] of Object.entries(builtIns).toReversed()) {
      if (known.has(builtIn)) continue
      await own.insert(reportView, {
        builtIn,
        name: name.zh,
        remark: remark.zh,
        family: question.family,
        question: { filters: {}, ...question },
        paper: question.columns.length ? 'landscape' : 'portrait',
      })
    }
  })
}
