import type { WireRow } from '#kit/resource/index.ts'
import { Button, Skeleton } from 'antd'
import { useEffect, useState } from 'react'
import { useRowDetail } from '#kit/web/row/use-detail.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { REFUND_STATE } from './dictionaries.ts'
import { words } from './refund-dialog-words.ts'
import { refunds } from './refunds.resource.ts'
import './orders.css'

type Row = WireRow<typeof refunds>

const FINAL_STATES = new Set<number>([REFUND_STATE.succeeded, REFUND_STATE.failed, REFUND_STATE.rejected])
const POLL_MS = 2500

/** Follows a refund until the money has gone, and offers to send it again when it could not. */
export function RefundProgress({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useLocalize()
  const mayRetry = useHasPermission('refunds_retry')
  const { data: refund, refetch } = useRowDetail(refunds, id)
  const [isRetrying, setRetrying] = useState(false)
  const status = Number(refund?.status ?? 0)
  const isFinal = !!refund && FINAL_STATES.has(status)
  // Live events report changes at once; polling covers a broken connection.
  useEffect(() => {
    if (isFinal || (refund && status === REFUND_STATE.applied)) return
    const timer = setInterval(() => void refetch(), POLL_MS)
    return () => clearInterval(timer)
  }, [isFinal, refund, status, refetch])
  const retry = async () => {
    setRetrying(true)
    await apiPost(`${refunds.path}/retry`, { query: { id } }).catch(() => {})
    await refetch()
    setRetrying(false)
  }
  if (!refund) return <Skeleton active paragraph={{ rows: 4 }} />

  return (
    <div className="refund-progress">
      <p className="refund-question">
        <Money value={refund.amount} />
      </p>
      <ol aria-live="polite">
        {stepsOf(refund, status).map((step) => (
          <li key={step.words.en} data-state={step.state}>
            <Icon
              name={step.state === 'done' ? 'check-circle' : step.state === 'bad' ? 'close-circle' : 'clock-circle'}
            />
            <span>{t(step.words, step.params)}</span>
            {step.at && <small className="kit-quiet">{step.at.slice(11)}</small>}
          </li>
        ))}
      </ol>
      {status === REFUND_STATE.applied && <p className="kit-quiet">{t(words.askedHint)}</p>}
      <div className="refund-foot">
        {status === REFUND_STATE.failed && mayRetry && (
          <Button size="large" loading={isRetrying} onClick={() => void retry()}>
            {t(words.retry)}
          </Button>
        )}
        <Button size="large" type="primary" onClick={onClose}>
          {t(status === REFUND_STATE.succeeded ? words.finish : kit.close)}
        </Button>
      </div>
    </div>
  )
}

type Step = {
  words: LocalizedText
  state: 'done' | 'now' | 'later' | 'bad'
  params?: Record<string, unknown>
  at?: string
}

function stepsOf(refund: Row, status: number): Step[] {
  const requested: Step = { words: words.asked, state: 'done', at: String(refund.createTime) }
  if (status === REFUND_STATE.rejected)
    return [requested, { words: words.rejected, state: 'bad', params: { reason: refund.auditRemark } }]
  const isApplied = status === REFUND_STATE.applied
  const approved: Step = {
    words: !isApplied ? words.approved : refund.auditUser ? words.waitsSecond : words.waiting,
    state: isApplied ? 'now' : 'done',
    at: String(refund.auditTime ?? ''),
  }
  if (status === REFUND_STATE.failed)
    return [requested, approved, { words: words.failed, state: 'bad', params: { reason: refund.failReason } }]
  const isDone = status === REFUND_STATE.succeeded
  return [
    requested,
    approved,
    { words: words.sending, state: isDone ? 'done' : isApplied ? 'later' : 'now' },
    { words: words.done, state: isDone ? 'done' : 'later', at: String(refund.finishTime ?? '') },
  ]
}
