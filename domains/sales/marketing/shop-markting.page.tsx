import { sumCentsOfColumn } from '#kit/web/row/money-totals.tsx'
import { formatYuan } from '#kit/fields/money/cents.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { shopMarkting } from './shop-markting.resource.ts'

const words = {
  intro: {
    zh: '每个活动在每家店带来的订单、让利和毛利；各店相加就是活动的总数',
    en: 'Orders, discounts and margin of each promotion in each store. The stores add up to the promotion total.',
  },
}

const sum = <K extends string>(rows: readonly { [key in K]: unknown }[], key: K) =>
  rows.reduce((all, row) => all + Number(row[key] ?? 0), 0)

/** Results of campaigns by shop, with totals. */
export default function ShopMarktingPage() {
  return (
    <ResourcePage
      resource={shopMarkting}
      page={{
        intro: words.intro,
        totals: (rows) =>
          rows.length
            ? {
                orders: sum(rows, 'orders'),
                quantity: sum(rows, 'quantity'),
                ...Object.fromEntries(
                  ['discountAmount', 'salesAmount', 'costAmount'].map((key) => [
                    key,
                    <Money key={key} value={formatYuan(sumCentsOfColumn(rows, key))} />,
                  ]),
                ),
              }
            : {},
      }}
    />
  )
}
