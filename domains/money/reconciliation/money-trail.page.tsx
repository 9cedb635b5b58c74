import { Skeleton } from 'antd'
import { Link, useParams } from 'react-router'
import type { CallAnswerOf } from '#kit/resource/index.ts'
import { useCall } from '#kit/web/call.ts'
import { useLocalize, type LocalizedText } from '#kit/web/language.tsx'
import { RowLink, useResourcePath } from '#kit/web/list/row-link.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/tab.ts'
import { moneyTrailCall } from './money-trail.calls.ts'
import { tallyDifference } from './tally-difference.resource.ts'
import { STATEMENT_LINE_LABELS, STATEMENT_SOURCE_LABELS, MONEY_TRAIL_STEP_LABELS, words } from './tally-words.ts'
import '#kit/web/kit.css'
import './tally.css'

type Way = CallAnswerOf<typeof moneyTrailCall>

/** Page with the payment trail of a sale: from the listed prices to the line of the account. */
export default function MoneyTrailPage() {
  const { orderId = '' } = useParams()
  const t = useLocalize()
  const { data, error, refetch } = useCall(moneyTrailCall, { orderId })
  useTabTitle(data && `${t(words.wayOf)} ${data.orderNo.slice(-6)}`)
  if (error)
    return (
      <div className="kit-page">
        <ErrorNote title={t(kit.failedDetail)} error={error} retry={() => void refetch()} />
      </div>
    )
  return (
    <div className="kit-page tally-way">
      {data ? <Parts way={data} /> : <Skeleton active paragraph={{ rows: 10 }} />}
    </div>
  )
}

function Parts({ way }: { way: Way }) {
  const t = useLocalize()
  return (
    <>
      <header>
        <h1>{t(words.wayOf)}</h1>
        <p>
          {t(words.order)}{' '}
          <RowLink to="shoppingOrder" id={way.orderId}>
            {way.orderNo}
          </RowLink>{' '}
          <span className="kit-quiet">{way.payTime}</span>{' '}
          {way.platform && <DictTag code="tally_side" value={way.platform} />}
        </p>
      </header>
      <section>
        <h2>{t(words.fromShelf)}</h2>
        <Steps way={way} />
      </section>
      <section>
        <h2>{t(words.stands)}</h2>
        <Stands way={way} />
      </section>
      {way.differences.length > 0 && (
        <section>
          <h2>{t(words.differences)}</h2>
          <Differences way={way} />
        </section>
      )}
    </>
  )
}

const Step = ({ label, amount, isSum = false }: { label: string; amount: string; isSum?: boolean }) => (
  <li className={isSum ? 'tally-sum' : undefined}>
    <span>{label}</span>
    <span>
      <Money value={amount} />
    </span>
  </li>
)

function Steps({ way }: { way: Way }) {
  const t = useLocalize()
  const named = (key: string) => t(MONEY_TRAIL_STEP_LABELS[key] ?? ({ zh: key, en: key } satisfies LocalizedText))
  return (
    <ul className="tally-steps">
      {way.steps.map(({ key, amount }) => (
        <Step key={key} label={named(key)} amount={amount} isSum={key === 'paid'} />
      ))}
      <Step label={named('net')} amount={way.net} isSum />
      {Number(way.beside) > 0 && <Step label={t(words.beside)} amount={way.beside} />}
      {Number(way.underWay) > 0 && <Step label={t(words.underWay)} amount={way.underWay} />}
      {way.arrived && <Step label={t(words.arrived)} amount={way.arrived} isSum />}
    </ul>
  )
}

function Stands({ way }: { way: Way }) {
  const t = useLocalize()
  if (!way.stands.length && !way.bills.length) return <p className="kit-quiet">{t(words.noStands)}</p>
  return (
    <ul className="tally-steps">
      {way.bills.map((one, at) => (
        <li key={`bill ${at}`}>
          <span>
            {t(words.bills)} · <Link to={`/merchant/billDetail?billId=${one.billId}`}>{one.billNo}</Link>
            <small>
              {t(STATEMENT_LINE_LABELS[one.kind] ?? words.bill)} {one.no && <CopyableText text={one.no} />}
            </small>
          </span>
          <span>
            <Money value={one.amount} />
          </span>
        </li>
      ))}
      {way.stands.map((one, at) => (
        <li key={`line ${at}`}>
          <span>
            {[
              t(STATEMENT_SOURCE_LABELS[one.source] ?? words.bill),
              t(STATEMENT_LINE_LABELS[one.kind] ?? words.bill),
              one.account,
            ].join(' · ')}
            <small>
              {one.day} <CopyableText text={one.no} />
            </small>
          </span>
          <span>
            <Money value={one.amount} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Differences({ way }: { way: Way }) {
  const path = useResourcePath(tallyDifference.name)
  return (
    <ul className="tally-steps">
      {way.differences.map((one) => (
        <li key={one.id}>
          <Link to={`${path}?state=&orderId=${way.orderId}`}>
            <DictTag code="tally_kind" value={one.kind} /> <DictTag code="tally_state" value={one.state} />
          </Link>
          <span>
            <Money value={one.worth} />
          </span>
        </li>
      ))}
    </ul>
  )
}
