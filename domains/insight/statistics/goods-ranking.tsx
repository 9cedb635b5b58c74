import { Segmented } from 'antd'
import { useState } from 'react'
import { Link } from 'react-router'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { homeWords as home } from './home-words.ts'
import type { ComparedDaySpan } from './span.ts'
import { useStatistics, type GoodSalesWire } from './use-home.ts'
import './home.css'

const words = {
  margin: { zh: '毛利率', en: 'Margin' },
  goods: { zh: '商品排行', en: 'Top products' },
  by_amount: { zh: '销售额', en: 'Sales' },
  by_quantity: { zh: '件数', en: 'Pieces' },
  by_profit: { zh: '毛利', en: 'Gross profit' },
  by_refunds: { zh: '退款', en: 'Refunds' },
  good: { zh: '商品', en: 'Products' },
  shop: { zh: '门店', en: 'Store' },
  cost: { zh: '成本', en: 'Cost' },
  best: { zh: '排序', en: 'Sort by' },
} satisfies Record<string, LocalizedText>

export const formatProfitMargin = (profit: string, income: string) =>
  Number(income) ? `${((Number(profit) / Number(income)) * 100).toFixed(1)}%` : '–'
const orderings = ['amount', 'quantity', 'profit', 'refunds'] as const

/** Table of the best-selling products, ordered by the chosen figure. */
export function GoodsRanking({ span, shopId }: { span: ComparedDaySpan; shopId: string }) {
  const t = useLocalize()
  const [by, setBy] = useState<(typeof orderings)[number]>('amount')
  const { data = [] } = useStatistics<GoodSalesWire[]>('goodsSold', span, shopId, { by, size: '30' })
  return (
    <section className="home-card">
      <header className="home-bar">
        <h2>
          {t(words.goods)}
          <small className="kit-quiet">{t(home.unit)}</small>
        </h2>
        <Segmented
          aria-label={t(words.best)}
          value={by}
          onChange={setBy}
          options={orderings.map((key) => ({ value: key, label: t(words[`by_${key}`]) }))}
        />
      </header>
      {data.length ? <Table goods={data} /> : <p className="kit-quiet">{t(home.noTrade)}</p>}
    </section>
  )
}

function Table({ goods }: { goods: GoodSalesWire[] }) {
  const t = useLocalize()
  const path = useResourcePath('goodInfo')
  const sums = [words.by_quantity, words.by_amount, words.cost, words.by_profit, words.margin, words.by_refunds]

  return (
    <div className="home-scroll">
      <table className="home-table">
        <thead>
          <tr>
            <th scope="col">{t(words.good)}</th>
            <th scope="col">{t(words.shop)}</th>
            {sums.map((label) => (
              <th key={label.en} scope="col" className="home-right">
                {t(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {goods.map((row) => (
            <tr key={`${row.goodId}/${row.shopId}`}>
              <td>{path && row.goodId ? <Link to={`${path}?detail=${row.goodId}`}>{row.name}</Link> : row.name}</td>
              <td>{row.shopName}</td>
              <td className="home-right">{row.quantity}</td>
              <td className="home-right">
                <Money value={row.amount} />
              </td>
              <td className="home-right">
                <Money value={row.cost} />
              </td>
              <td className="home-right">
                <Money value={row.profit} />
              </td>
              <td className="home-right">{formatProfitMargin(row.profit, row.amount)}</td>
              <td className="home-right">
                <Money value={row.refunds} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
