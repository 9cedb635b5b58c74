import type { WireRow } from '#kit/resource/index.ts'
import { Button, Progress } from 'antd'
import { useMemo } from 'react'
import { wireYuanToCents, formatYuan, formatAmount } from '#kit/fields/money/cents.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { Chart } from '#kit/web/parts/chart.tsx'
import type { ChartSeries } from '#kit/web/parts/chart-series.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { callAction, useActionRunner } from '#kit/web/row/run-action.ts'
import { useRowDetail } from '#kit/web/row/use-detail.ts'
import { CAMPAIGN_STATE } from './dictionaries.ts'
import { discountConf } from './discount-conf.resource.ts'
import type { campaignSimulationToWire } from './simulation.ts'
import './marketing.css'

type Row = WireRow<typeof discountConf>

export type CampaignSimulationWire = ReturnType<typeof campaignSimulationToWire>

export const noSimulationEffectText: LocalizedText = {
  zh: '近 30 天没有一单会享受它：条件没有达到，或者已发布的活动优惠更多、优先级更高。',
  en:
    'No order of the last 30 days would qualify. The conditions were not met or published promotions ' +
    'give more or have priority.',
}

const words = {
  givenYuan: { zh: '让利（元）', en: 'Discount (CNY)' },
  hitOrders: { zh: '享受订单（单）', en: 'Qualifying orders' },
  date: { zh: '日期', en: 'Date' },
  title: {
    zh: '试算：近 30 天的订单，如果当时有这个活动',
    en: 'Simulation: orders of the last 30 days with this promotion',
  },
  none: {
    zh: '发布前先试算：把近 30 天的订单过一遍，看要让利多少、毛利剩多少、与哪些活动冲突。',
    en:
      'Simulate before publishing. It runs the orders of the last 30 days to show the discount, ' +
      'remaining margin and conflicts with other promotions.',
  },
  note: {
    zh: '按当时的购物篮计算，不含活动带来的新增销量；与活动期内的其他已发布活动一起算。',
    en:
      'Based on the carts as they were, without extra sales from the promotion, combined with other ' +
      'promotions published for the same time.',
  },
  go: { zh: '开始试算', en: 'Start simulation' },
  again: { zh: '重新试算', en: 'Simulate again' },
  running: { zh: '正在试算 第 {progress}/{days} 天', en: 'Simulating day {progress} of {days}' },
  cost: { zh: '让利', en: 'Discount' },
  hit: { zh: '享受订单', en: 'Qualifying orders' },
  ofAll: { zh: '共 {orders} 单', en: 'of {orders}' },
  margin: { zh: '毛利率', en: 'Margin' },
  was: { zh: '原 {before}%', en: 'was {before}%' },
  profit: { zh: '毛利', en: 'Gross profit' },
  wasMoney: { zh: '原 ¥{before}', en: 'was ¥{before}' },
  below: { zh: '低于成本', en: 'Below cost' },
  lines: { zh: '{lines} 行', en: '{lines} {lines|line|lines}' },
  loss: { zh: '合计亏 ¥{loss}', en: '¥{loss} lost in total' },
  frozen: {
    zh: '草稿可以改了再试；一旦发布就不能再改，只能停止。',
    en: 'Drafts can be changed and simulated again. Once published, a promotion can only be stopped.',
  },
  budgetGone: { zh: '预算到 {date} 就会用完', en: 'The budget would be used up by {date}' },
  clashes: { zh: '与这些活动撞在一起', en: 'Conflicts with' },
  noClash: { zh: '没有与其他活动冲突', en: 'No conflicts with other promotions' },
  clash: {
    zh: '{orders} 单同时适用，使它少优惠 ¥{displaced}',
    en: '{orders} {orders|order qualifies|orders qualify} for both, reducing this discount by ¥{displaced}',
  },
  goods: { zh: '让利最多的商品', en: 'Products with the largest discounts' },
  name: { zh: '商品', en: 'Products' },
  quantity: { zh: '件数', en: 'Pieces' },
  marginCut: { zh: '毛利率 前 → 后', en: 'Margin before → after' },
} satisfies Record<string, LocalizedText>

const margin = (sales: string, cost: string) =>
  Number(sales) ? (((Number(sales) - Number(cost)) / Number(sales)) * 100).toFixed(1) : '0.0'

/** Chart: discount and orders per day of the simulation. */
function ByDay({ days }: { days: CampaignSimulationWire['byDay'] }) {
  const t = useLocalize()
  const labels = useMemo(() => days.map(({ date }) => date.slice(5)), [days])
  const lines = useMemo(
    (): ChartSeries[] => [
      {
        name: t(words.givenYuan),
        as: 'bar',
        tone: 'main',
        unit: 'yuan',
        values: days.map((day) => Number(day.cost)),
      },
      {
        name: t(words.hitOrders),
        as: 'line',
        tone: 'quiet',
        unit: 'pieces',
        isRight: true,
        values: days.map((day) => day.hitOrders),
      },
    ],
    [days, t],
  )
  return <Chart caption={t(words.title)} axis={t(words.date)} labels={labels} lines={lines} />
}

/** Result of a draft's simulation, and a button that starts one. */
export default function CampaignSimulationPanel({ campaign }: { campaign: Row }) {
  const t = useLocalize()
  const { data } = useRowDetail(discountConf, String(campaign.id))
  const { run, running: isRunning } = useActionRunner(discountConf)
  const row = data ?? campaign
  const maySimulate = useHasPermission('discountConf_rehearse') && Number(row.status) === CAMPAIGN_STATE.draft
  const found = row.rehearsal as Partial<CampaignSimulationWire> | undefined
  const go = () =>
    void run(() => callAction(discountConf, 'rehearse', discountConf.actions.rehearse, { id: String(row.id) })).catch(
      () => {},
    )
  if (!found?.state)
    return maySimulate ? (
      <section className="rehearsal">
        <p>{t(words.none)}</p>
        <Button icon={<Icon name="experiment" />} loading={isRunning} onClick={go}>
          {t(words.go)}
        </Button>
      </section>
    ) : null
  return (
    <section className="rehearsal">
      <SimulationResult found={found as CampaignSimulationWire} mayChange={maySimulate} />
      {maySimulate && found.state === 'done' && (
        <Button icon={<Icon name="redo" />} loading={isRunning} onClick={go}>
          {t(words.again)}
        </Button>
      )}
    </section>
  )
}

type FoundProps = { found: CampaignSimulationWire; mayChange: boolean }

function SimulationResult({ found, mayChange }: FoundProps) {
  const t = useLocalize()
  return (
    <>
      <h3>{t(words.title)}</h3>
      {found.state === 'running' && <Running found={found} />}
      <Figures found={found} />
      {found.byDay.length > 0 && <ByDay days={found.byDay} />}
      <p className="kit-quiet">{t(words.note)}</p>
      {mayChange && (
        <p className="kit-quiet">
          <Icon name="lock" /> {t(words.frozen)}
        </p>
      )}
      {found.budgetGone && (
        <p className="rehearsal-warn">
          <Icon name="warning" /> {t(words.budgetGone, { date: found.budgetGone })}
        </p>
      )}
      <Clashes found={found} />
      {found.goods.length > 0 && <Goods goods={found.goods.slice(0, 20)} />}
    </>
  )
}

function Running({ found: { progress, days } }: Pick<FoundProps, 'found'>) {
  const t = useLocalize()
  const text = t(words.running, { progress, days })
  return (
    <div aria-live="polite">
      <p>{text}</p>
      <Progress percent={Math.round((progress / days) * 100)} aria-label={text} />
    </div>
  )
}

/** Campaigns that would share orders with this one; also says when there are none. */
function Clashes({ found: { state, clashes, hitOrders } }: Pick<FoundProps, 'found'>) {
  const t = useLocalize()
  return (
    <>
      {(state === 'done' || clashes.length > 0) && (
        <h4>{t(clashes.length ? words.clashes : hitOrders ? words.noClash : noSimulationEffectText)}</h4>
      )}
      <ul className="rehearsal-rows">
        {clashes.map((clash) => (
          <li key={clash.id}>
            <span>
              <RowLink to="discountConf" id={clash.id}>
                {clash.name}
              </RowLink>
            </span>
            <small>{t(words.clash, { orders: clash.orders, displaced: clash.displaced })}</small>
          </li>
        ))}
      </ul>
    </>
  )
}

function Figures({ found }: { found: CampaignSimulationWire }) {
  const t = useLocalize()
  const { cost, hitOrders, orders, payBefore, payAfter, goodsCost, belowCost } = found

  return (
    <dl className="rehearsal-figures">
      <div>
        <dt>{t(words.cost)}</dt>
        <dd>
          <Money value={cost} />
        </dd>
      </div>
      <div>
        <dt>{t(words.hit)}</dt>
        <dd>
          {hitOrders}
          <small>{t(words.ofAll, { orders })}</small>
        </dd>
      </div>
      <div>
        <dt>{t(words.margin)}</dt>
        <dd>
          {margin(payAfter, goodsCost)}%<small>{t(words.was, { before: margin(payBefore, goodsCost) })}</small>
        </dd>
      </div>
      <div data-bad={Number(payAfter) < Number(goodsCost)}>
        <dt>{t(words.profit)}</dt>
        <dd>
          <Money value={formatYuan(wireYuanToCents(payAfter) - wireYuanToCents(goodsCost))} />
          <small>
            {t(words.wasMoney, {
              before: formatAmount(formatYuan(wireYuanToCents(payBefore) - wireYuanToCents(goodsCost))),
            })}
          </small>
        </dd>
      </div>
      <div data-bad={belowCost.lines > 0}>
        <dt>{t(words.below)}</dt>
        <dd>
          {t(words.lines, { lines: belowCost.lines })}
          <small>{belowCost.lines > 0 && t(words.loss, { loss: belowCost.loss })}</small>
        </dd>
      </div>
    </dl>
  )
}

function Goods({ goods }: { goods: CampaignSimulationWire['goods'] }) {
  const t = useLocalize()
  return (
    <table className="rehearsal-goods">
      <caption>{t(words.goods)}</caption>
      <thead>
        <tr>
          <th scope="col">{t(words.name)}</th>
          <th scope="col">{t(words.quantity)}</th>
          <th scope="col">{t(words.cost)}</th>
          <th scope="col">{t(words.marginCut)}</th>
        </tr>
      </thead>
      <tbody>
        {goods.map((one) => (
          <tr key={one.upc}>
            <th scope="row">
              {one.name}
              {one.belowCost > 0 && (
                <small className="rehearsal-warn">
                  {t(words.below)} {t(words.lines, { lines: one.belowCost })}
                </small>
              )}
            </th>
            <td>{one.quantity}</td>
            <td>
              <Money value={one.discount} />
            </td>
            <td>
              {margin(one.salesBefore, one.cost)}% → {margin(one.salesAfter, one.cost)}%
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
