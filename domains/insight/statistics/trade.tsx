import { wireYuanToCents, formatYuan, formatAmount } from '#kit/fields/money/cents.ts'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { Chart } from '#kit/web/parts/chart.tsx'
import type { ChartSeries } from '#kit/web/parts/chart-series.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { homeWords as words } from './home-words.ts'
import type { ComparedDaySpan } from './span.ts'
import {
  useStatistics,
  type DaySalesWire,
  type HourSalesWire,
  type CustomerBreakdownWire,
  type ShopSalesWire,
  type GoodTypeSalesWire,
} from './use-home.ts'

const TOP = 8

const Waiting = () => (
  <div className="kit-chart">
    <span className="kit-skeleton" />
  </div>
)
const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`
const yen = (text: string) => (text.startsWith('-') ? `−¥${formatAmount(text.slice(1))}` : `¥${formatAmount(text)}`)

/** Chart of the income by day, or by hour of a single day, compared with the period before. */
export function IncomeCurve({
  span,
  shopId,
  now,
}: {
  span: ComparedDaySpan
  shopId: string
  now?: { date: string; hour: number }
}) {
  return span.days === 1 ? <ByHour span={span} shopId={shopId} now={now} /> : <ByDay span={span} shopId={shopId} />
}

function ByHour({
  span,
  shopId,
  now,
}: {
  span: ComparedDaySpan
  shopId: string
  now?: { date: string; hour: number }
}) {
  const t = useLocalize()
  const { data: day } = useStatistics<HourSalesWire[]>('dataByDate', span, shopId)
  const { data: before } = useStatistics<HourSalesWire[]>('dataByDate', span.before, shopId)
  // Future hours have no bar instead of a bar of 0.
  const until = now?.date === span.from ? now.hour : 23
  const lines = useMemo(
    (): ChartSeries[] | undefined =>
      day &&
      before && [
        {
          name: t(span.key === 'today' ? words.today : words.thisDay),
          as: 'bar',
          unit: 'yuan',
          tone: 'main',
          values: day.map((row) => (row.hour > until ? null : Number(row.income))),
        },
        {
          name: t(span.key === 'today' ? words.yesterday : words.dayBefore),
          as: 'line',
          unit: 'yuan',
          tone: 'quiet',
          values: before.map((row) => Number(row.income)),
        },
      ],
    [day, before, t, span, until],
  )
  const labels = useMemo(() => Array.from({ length: 24 }, (_, hour) => clock(hour)), [])
  return <Chart caption={t(words.hoursTable)} axis={t(words.hour)} labels={labels} lines={lines} />
}

function ByDay({ span, shopId }: { span: ComparedDaySpan; shopId: string }) {
  const t = useLocalize()
  const { data: days } = useStatistics<DaySalesWire[]>('incomePanelByDate', span, shopId)
  const { data: before } = useStatistics<DaySalesWire[]>('incomePanelByDate', span.before, shopId)
  const lines = useMemo(
    (): ChartSeries[] | undefined =>
      days &&
      before && [
        {
          name: t(words.income),
          as: 'bar',
          unit: 'yuan',
          tone: 'main',
          values: days.map((row) => Number(row.income)),
        },
        {
          name: t(words.daysBefore),
          as: 'line',
          unit: 'yuan',
          tone: 'quiet',
          values: days.map((_row, at) => (before[at] ? Number(before[at].income) : null)),
        },
        {
          name: t(words.refunds),
          as: 'line',
          unit: 'yuan',
          tone: 'bad',
          values: days.map((row) => Number(row.refunds)),
        },
      ],
    [days, before, t],
  )
  const labels = useMemo(() => (days ?? []).map((row) => row.date.slice(span.days > 330 ? 0 : 5)), [days, span.days])
  return <Chart caption={t(words.daysTable)} axis={t(words.day)} labels={labels} lines={lines} />
}

type Rank = { key: string; name: string; value: string; note?: string; to?: string; isRest?: boolean }

/** Ranking with amounts, largest first, and bars relative to the first. */
function Ranks({ title, rows, total }: { title: string; rows: Rank[] | undefined; total: number }) {
  const t = useLocalize()
  const most = Math.max(...(rows ?? []).filter((row) => !row.isRest).map((row) => Number(row.value)), 0.01)
  return (
    <section className="home-card">
      <h2>
        {title}
        <small className="kit-quiet">{t(words.unit)}</small>
      </h2>
      {!rows ? (
        <Waiting />
      ) : !rows.length ? (
        <p className="kit-quiet">{t(words.noTrade)}</p>
      ) : (
        <ol className="home-ranks">
          {rows.map((row) => (
            <li key={row.key}>
              <span className="home-rank-name">
                {row.to ? <Link to={row.to}>{row.name}</Link> : row.name}
                {row.note && <small className="kit-quiet"> {row.note}</small>}
              </span>
              <span className="kit-number">{formatAmount(row.value)}</span>
              <small className="kit-quiet kit-number">
                {total ? `${((Number(row.value) / total) * 100).toFixed(1)}%` : ''}
              </small>
              {!row.isRest && <i aria-hidden style={{ width: `${Math.max((Number(row.value) / most) * 100, 0)}%` }} />}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

export const paidOrdersQuery = (span: ComparedDaySpan) =>
  `status=1,2,3,4&payTime_dategt=${span.from}&payTime_datelt=${span.to}`

export function TopShops({ span, shopId }: { span: ComparedDaySpan; shopId: string }) {
  const t = useLocalize()
  const orders = useResourcePath('shoppingOrder')
  const { data } = useStatistics<ShopSalesWire[]>('countOrderSumPrice', span, shopId)
  const total = (data ?? []).reduce((sum, row) => sum + Number(row.income), 0)
  return (
    <Ranks
      title={t(words.topShops)}
      total={total}
      rows={data?.slice(0, TOP).map((row) => ({
        key: row.shopId,
        name: row.shopName || row.shopId,
        value: row.income,
        note: t(words.shopOrders, { count: row.orders }),
        to: orders && `${orders}?${paidOrdersQuery(span)}&shopId=${row.shopId}`,
      }))}
    />
  )
}

export function SalesByGoodType({ span, shopId }: { span: ComparedDaySpan; shopId: string }) {
  const t = useLocalize()
  const goods = useResourcePath('goodInfo')
  const { data } = useStatistics<GoodTypeSalesWire[]>('countOrderSumPriceByGoodType', span, shopId)
  const total = (data ?? []).reduce((sum, row) => sum + Number(row.amount), 0)
  const rest = (data ?? []).slice(TOP)
  const rows: Rank[] | undefined = data?.slice(0, rest.length > 1 ? TOP - 1 : TOP + 1).map((row, at) => ({
    key: `${row.goodTypeId}/${at}`,
    name: row.name,
    value: row.amount,
    note: row.quantity ? t(words.pieces, { count: row.quantity }) : undefined,
    to: goods && row.goodTypeId ? `${goods}?goodTypeId=${row.goodTypeId}` : undefined,
  }))
  const others = (data ?? []).slice(TOP - 1)
  if (rest.length > 1)
    rows!.push({
      key: 'rest',
      name: t(words.otherTypes, { count: others.length }),
      value: formatYuan(others.reduce((sum, row) => sum + wireYuanToCents(row.amount), 0)),
      isRest: true,
    })
  return <Ranks title={t(words.byType)} rows={rows} total={total} />
}

export function CustomerBreakdown({ span, shopId }: { span: ComparedDaySpan; shopId: string }) {
  const t = useLocalize()
  const path = useResourcePath('wxUser')
  const { data } = useStatistics<CustomerBreakdownWire>('countOrderPeople', span, shopId)
  const parts =
    data &&
    ([
      ['new', words.newPeople, data.newCustomers],
      ['back', words.returning, data.returningCustomers],
      ['guest', words.guests, data.guestOrders],
    ] as const)
  return (
    <section className="home-card">
      <h2>
        {t(words.customers)}
        {data && <small className="kit-quiet">{t(words.perOrder, { amount: yen(data.average) })}</small>}
      </h2>
      {!parts ? (
        <Waiting />
      ) : !data.customers ? (
        <p className="kit-quiet">{t(words.noTrade)}</p>
      ) : (
        <>
          <p className="home-people-total">
            <strong className="kit-number">{data.customers.toLocaleString('en-US')}</strong>{' '}
            {path && <Link to={path}>{t(words.allCustomers)}</Link>}
          </p>
          <div className="home-people" aria-hidden>
            {parts.map(
              ([key, , count]) =>
                count > 0 && <i key={key} className={`home-people-${key}`} style={{ flexGrow: count }} />,
            )}
          </div>
          <dl className="home-people-list">
            {parts.map(([key, label, count]) => (
              <div key={key}>
                <dt>
                  <i aria-hidden className={`home-people-${key}`} />
                  {t(label)}
                </dt>
                <dd className="kit-number">{count.toLocaleString('en-US')}</dd>
                <dd className="kit-quiet kit-number">{((count / data.customers) * 100).toFixed(0)}%</dd>
              </div>
            ))}
          </dl>
          <p className="kit-quiet">{t(words.repeat, { count: data.repeatCustomers })}</p>
        </>
      )}
    </section>
  )
}
