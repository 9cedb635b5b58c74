import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { ReportQuery, RowOf, LocalizedText } from '#kit/resource/index.ts'
import { reportView } from './report-view.resource.ts'

type BuiltIn = {
  name: LocalizedText
  remark: LocalizedText
  question: Omit<ReportQuery, 'filters'> & Partial<ReportQuery>
}

/** Reports that come with the product, for the most common questions of shops. Visible in all tenants. */
export const builtInReports: Readonly<Record<string, BuiltIn>> = {
  salesByDay: {
    name: { zh: '每日销售', en: 'Daily sales' },
    remark: { zh: '近 30 天，与之前 30 天对比', en: 'Last 30 days compared with the 30 days before' },
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
    name: { zh: '门店业绩', en: 'Store performance' },
    remark: { zh: '本月各门店，与上月同期对比', en: 'This month by store compared with the same period last month' },
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
    name: { zh: '门店月度销售', en: 'Monthly sales by store' },
    remark: { zh: '今年每店每月', en: 'This year by store and month' },
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
    name: { zh: '支付方式', en: 'Payment methods' },
    remark: { zh: '近 30 天各支付方式的金额和笔数', en: 'Amount and number of orders by payment method, last 30 days' },
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
    remark: { zh: '近 30 天下单最多的 50 种', en: 'Top 50 products ordered in the last 30 days' },
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
    remark: { zh: '近 30 天各门店退款', en: 'Refunds by store, last 30 days' },
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
    name: { zh: '到店转化', en: 'Visit conversion' },
    remark: { zh: '近 30 天各门店到店结果', en: 'Visit results by store, last 30 days' },
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
    remark: { zh: '现有库存按门店和分类', en: 'Current stock by store and category' },
    question: {
      family: 'goodInfo',
      rows: ['goodTypeId'],
      columns: ['shopId'],
      measures: ['value'],
      sort: 'value',
    },
  },
  expiring: {
    name: { zh: '效期分布', en: 'Expiry distribution' },
    remark: { zh: '还有剩余的批次按到期月份', en: 'Batches with remaining stock by expiry month' },
    question: {
      family: 'storageBatch',
      filters: { remaining_gt: '0', expiryDate_notnull: 'true' },
      rows: ['expiryDate.month'],
      columns: ['shopId'],
      measures: ['remaining'],
    },
  },
  losses: {
    name: { zh: '库存损耗', en: 'Stock shrinkage' },
    remark: { zh: '近 90 天报损、盘点和更正', en: 'Write-offs, counts and adjustments, last 90 days' },
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
    name: { zh: '会员充值', en: 'Member top-ups' },
    remark: { zh: '今年每月充值', en: 'Top-ups by month, this year' },
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
    name: { zh: '采购汇总', en: 'Purchase summary' },
    remark: { zh: '今年各供应商', en: 'By supplier, this year' },
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
    name: { zh: '事件统计', en: 'Event statistics' },
    remark: { zh: '近 30 天各门店、各类事件', en: 'Events by store and type, last 30 days' },
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

/** Returns name and remark of a built-in report in the reader's language, unless the platform has changed them. */
export function localizeBuiltInReport(row: Partial<RowOf<typeof reportView>>, lang: 'zh' | 'en') {
  const known = row.builtIn ? builtInReports[row.builtIn] : undefined
  if (!known) return {}
  return {
    name: row.name === known.name.zh ? known.name[lang] : row.name,
    remark: row.remark === known.remark.zh ? known.remark[lang] : (row.remark ?? ''),
  }
}

/** Inserts built-in reports that never existed, so that removed or changed ones stay so. */
export async function insertMissingBuiltInReports(db: Db): Promise<void> {
  await db.asTenant(MANAGEMENT_TENANT, async (own) => {
    const existing = await own.query<{ builtIn: string }>(
      sql`select built_in from report_view where tenant_id = ${MANAGEMENT_TENANT} and built_in is not null`,
    )
    const known = new Set(existing.map(({ builtIn }) => builtIn))
    // Inserted in reverse, as the list shows the newest first.
    for (const [builtIn, { name, remark, question }] of Object.entries(builtInReports).toReversed()) {
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
