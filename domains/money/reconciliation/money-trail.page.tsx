import { Skeleton } from 'antd'
import { Link, useParams } from 'react-router'
import type { CallAnswerOf } from '#kit/resource/index.ts'
import { useCall } from '#kit/web/http/call.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { RowLink, useResourcePath } from '#kit/web/inputs/row-link.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTabTitle } from '#kit/web/base/tab.ts'
import { moneyTrailCall } from './money-trail.calls.ts'
import { reconciliationDifference } from './reconciliation-difference.resource.ts'
import {
  STATEMENT_LINE_LABELS,
  STATEMENT_SOURCE_LABELS,
  MONEY_TRAIL_STEP_LABELS,
  words,
} from './reconciliation-words.ts'
import '#kit/web/base/kit.css'
import './reconciliation.css'

type MoneyTrail = CallAnswerOf<typeof moneyTrailCall>

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
      {data ? <Parts trail={data} /> : <Skeleton active paragraph={{ rows: 10 }} />}
    </div>
  )
}

function Parts({ trail }: { trail: MoneyTrail }) {
  const t = useLocalize()
  return (
    <>
      <header>
        <h1>{t(words.wayOf)}</h1>
        <p>
          {t(words.order)}{' '}
          <RowLink to="shoppingOrder" id={trail.orderId}>
            {trail.orderNo}
          </RowLink>{' '}
          <span className="kit-quiet">{trail.payTime}</span>{' '}
          {trail.platform && <DictTag code="tally_side" value={trail.platform} />}
        </p>
      </header>
      <section>
        <h2>{t(words.fromShelf)}</h2>
        <Steps trail={trail} />
      </section>
      <section>
        <h2>{t(words.stands)}</h2>
        <Stands trail={trail} />
      </section>
      {trail.differences.length > 0 && (
        <section>
          <h2>{t(words.differences)}</h2>
          <Differences trail={trail} />
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

function Steps({ trail }: { trail: MoneyTrail }) {
  const t = useLocalize()
  const named = (key: string) => t(MONEY_TRAIL_STEP_LABELS[key] ?? ({ zh: key, en: key } satisfies LocalizedText))
  return (
    <ul className="tally-steps">
      {trail.steps.map(({ key, amount }) => (
        <Step key={key} label={named(key)} amount={amount} isSum={key === 'paid'} />
      ))}
      <Step label={named('net')} amount={trail.net} isSum />
      {Number(trail.beside) > 0 && <Step label={t(words.beside)} amount={trail.beside} />}
      {Number(trail.underWay) > 0 && <Step label={t(words.underWay)} amount={trail.underWay} />}
      {trail.arrived && <Step label={t(words.arrived)} amount={trail.arrived} isSum />}
    </ul>
  )
}

function Stands({ trail }: { trail: MoneyTrail }) {
  const t = useLocalize()
  if (!trail.stands.length && !trail.bills.length) return <p className="kit-quiet">{t(words.noStands)}</p>
  return (
    <ul className="tally-steps">
      {trail.bills.map((one, at) => (
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
      {trail.stands.map((one, at) => (
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

function Differences({ trail }: { trail: MoneyTrail }) {
  const path = useResourcePath(reconciliationDifference.name)
  return (
    <ul className="tally-steps">
      {trail.differences.map((one) => (
        <li key={one.id}>
          <Link to={`${path}?state=&orderId=${trail.orderId}`}>
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
