import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { callApi } from '#kit/web/http/call.ts'
import type { CallAnswerOf } from '#kit/resource/index.ts'
import { useLanguage, useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { bill } from '#domains/money/merchant-accounts/index.ts'
import { billBridgeCall } from './bill-bridge.calls.ts'
import { bridgeKinds } from './bill-bridge.ts'
import './reconciliation.css'

type Bridge = CallAnswerOf<typeof billBridgeCall>
type Side = Bridge['paid']

const words = {
  title: { zh: '与经营分析的关系', en: 'Reconciliation with sales performance' },
  sales: { zh: '经营分析营业额', en: 'Sales performance revenue' },
  backs: { zh: '经营分析退款', en: 'Sales performance refunds' },
  paid: { zh: '账单订单实付', en: 'Order payments in bill' },
  back: { zh: '账单退款', en: 'Refunds in bill' },
  rest: { zh: '未说明的差额', en: 'Unreconciled difference' },
  count: { zh: '{count} 笔', en: '{count}' },
  channels: { zh: '按支付方式', en: 'By payment method' },
  refunded: { zh: '退款', en: 'refunded' },
} satisfies Record<string, LocalizedText>

/** Side panel of a bill: the differences between its sums and those of the sales analysis, and its payment channels. */
export default function BillBridge({ resource, id }: { resource: string; id: string }) {
  const may = useHasPermission('bill_view')
  return resource === bill.name && may ? <OfBill id={id} /> : null
}

function OfBill({ id }: { id: string }) {
  const t = useLocalize()
  const language = useLanguage()
  const { data, error, refetch } = useQuery({
    queryKey: ['list', 'bill', 'bridge', id, language],
    queryFn: () => callApi(billBridgeCall, { id }, { quiet: true }),
  })
  if (error) return <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return null
  const hasBack = Number(data.back.analysis) !== 0 || Number(data.back.bill) !== 0
  return (
    <section className="tally-bridge" aria-label={t(words.title)}>
      <h3>{t(words.title)}</h3>
      <Steps side={data.paid} first={words.sales} last={words.paid} />
      {hasBack && <Steps side={data.back} first={words.backs} last={words.back} />}
      {data.channels.length > 0 && (
        <>
          <h4>{t(words.channels)}</h4>
          <ul className="kit-rows">
            {data.channels.map(({ channel, source, amount, refund }) => (
              <li key={`${channel}/${source}`}>
                <span>
                  <DictTag code="pay_type" value={channel} /> {source && <DictTag code="order_source" value={source} />}
                </span>
                <span className="kit-number">
                  <Money value={amount} />
                  {Number(refund) !== 0 && (
                    <span className="kit-quiet">
                      {' '}
                      {t(words.refunded)} <Money value={refund} />
                    </span>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function Steps({ side, first, last }: { side: Side; first: LocalizedText; last: LocalizedText }) {
  const t = useLocalize()
  const orders = useResourcePath('shoppingOrder')
  return (
    <ul className="kit-rows">
      <li>
        <span>{t(first)}</span>
        <Money value={side.analysis} />
      </li>
      {side.lines.map(({ kind, count, amount, orderNos }) => {
        const name = `${t(bridgeKinds[kind])} · ${t(words.count, { count })}`
        const named = orderNos.filter(Boolean)
        return (
          <li key={kind}>
            <span>
              {orders && named.length === 1 ? (
                <Link to={`${orders}?orderNo_equal=${encodeURIComponent(named[0]!)}`}>{name}</Link>
              ) : (
                <span data-tip={named.join('\n')}>{name}</span>
              )}
            </span>
            <span className="kit-number">
              {Number(amount) > 0 ? '+ ' : ''}
              <Money value={amount} />
            </span>
          </li>
        )
      })}
      <li>
        <span>{t(last)}</span>
        <Money value={side.bill} />
      </li>
      <li className="kit-quiet">
        <span>{t(words.rest)}</span>
        <Money value={side.rest} />
      </li>
    </ul>
  )
}
