import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Popconfirm, QRCode } from 'antd'
import { useState } from 'react'
import { callApi } from '#kit/web/http/call.ts'
import { shareLog } from '#domains/money/merchant-accounts/index.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { apiGet, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { useLiveEvents } from '#kit/web/live/live.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { Money } from '#kit/web/parts/money.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { toast } from '#kit/web/base/toast.ts'
import { useHasPermission } from '#kit/web/session/can.ts'
import { payAttemptNativeCall } from './checkout.calls.ts'
import { UNMATCHED_REFUND_STATE, PAYMENT_ATTEMPT_STATE } from './dictionaries.ts'
import type { PayOutcome } from './outcome.ts'
import { payAttempt } from './pay-attempt.resource.ts'
import { changedTopicOf } from '#kit/resource/index.ts'
import './checkout.css'

const words = {
  title: { zh: '收款', en: 'Collect payment' },
  show: { zh: '显示付款二维码', en: 'Show payment QR code' },
  scan: {
    zh: '顾客用微信扫码付款，付好后这里自动更新',
    en: 'The customer scans it with WeChat. This page updates automatically after payment.',
  },
  unknown: {
    zh: '已提交微信支付，还没有答复；会自动查询，不用重复收款',
    en: 'Submitted to WeChat Pay. No response yet. The status is checked automatically. Do not collect again.',
  },
}
// Dark on light in every theme: phones cannot read an inverted code.
const CODE_PX = 200
type Row = WireRow<typeof payAttempt>

/** Payment attempts of an order, and while it is unpaid a code to pay it. */
export default function OrderPaymentsPanel({ orderId, isToPay }: { orderId: string; isToPay: boolean }) {
  const t = useLocalize()
  const client = useQueryClient()
  const mayRead = useHasPermission('payAttempt_view')
  const mayAsk = useHasPermission('payAttempt_ask')
  const queryKey = ['order-money', orderId]
  const { data } = useQuery({
    queryKey,
    enabled: mayRead,
    queryFn: () => apiGet<{ records: Row[] }>(`${payAttempt.path}/list`, { orderId, size: 20 }),
  })
  useLiveEvents(changedTopicOf(payAttempt), () => {
    void client.invalidateQueries({ queryKey })
    void client.invalidateQueries({ queryKey: ['whole-order', orderId] })
  })
  const rows = data?.records ?? []
  if (!rows.length && !(isToPay && mayAsk)) return null
  return (
    <section className="order-section">
      <h3>{t(words.title)}</h3>
      {isToPay && mayAsk && <CodeToScan orderId={orderId} />}
      {rows.length > 0 && (
        <ul className="kit-rows">
          {rows.map((row) => (
            <Attempt key={String(row.id)} row={row} />
          ))}
        </ul>
      )}
    </section>
  )
}

function CodeToScan({ orderId }: { orderId: string }) {
  const t = useLocalize()
  const [shown, setShown] = useState<PayOutcome>()
  const [isAsking, setAsking] = useState(false)
  const ask = async () => {
    setAsking(true)
    try {
      setShown(await callApi(payAttemptNativeCall, { orderId }))
    } catch {
      // A toast has already shown the error.
    } finally {
      setAsking(false)
    }
  }
  if (!shown)
    return (
      <Button type="primary" size="large" loading={isAsking} onClick={() => void ask()}>
        {t(words.show)}
      </Button>
    )
  if (!shown.codeUrl) return <p>{shown.note || t(words.unknown)}</p>
  return (
    <div className="checkout-code">
      <QRCode value={shown.codeUrl} size={CODE_PX} type="svg" color="black" bgColor="white" />
      <p>
        <Money value={shown.amount} /> <span className="kit-quiet">{t(words.scan)}</span>
      </p>
    </div>
  )
}

/** Button that releases an order's frozen profit-sharing money to the merchant, for people with the permission. */
function LetGo({ orderId }: { orderId: string }) {
  const t = useLocalize()
  const may = useHasPermission('shareLog_letGo')
  if (!may) return null
  const { confirm, done } = shareLog.actions.unfreeze
  const letGo = async () => {
    try {
      await apiPost(`${shareLog.path}/letGo`, { body: { orderId } })
      toast.success(t(done))
    } catch {
      // A toast has already shown the error.
    }
  }
  return (
    <Popconfirm title={t(confirm)} onConfirm={letGo}>
      <Button size="small">{t(shareLog.actions.unfreeze.label)}</Button>
    </Popconfirm>
  )
}

function Attempt({ row }: { row: Row }) {
  const note = [row.note, row.backNote].map((text) => String(text || '')).filter(Boolean)
  return (
    <li>
      <span>
        <span className="checkout-tags">
          <RowLink to={payAttempt.name} id={String(row.id)}>
            <DictTag code="pay_way" value={row.way} />
          </RowLink>
          <DictTag code="pay_state" value={row.state} />
          {row.backState && <DictTag code="pay_back_state" value={row.backState} />}
        </span>
        {row.isShared && row.state === PAYMENT_ATTEMPT_STATE.paid && !row.backState && (
          <LetGo orderId={String(row.orderId)} />
        )}
        {note.map((text) => (
          <small key={text} className={row.backState === UNMATCHED_REFUND_STATE.failed ? 'order-gone' : 'kit-quiet'}>
            {text}
          </small>
        ))}
      </span>
      <span className="order-right">
        <Money value={row.amount} />
        <small>
          <RelativeTime at={String(row.state === PAYMENT_ATTEMPT_STATE.paid ? row.paidTime : row.askedTime)} />
        </small>
      </span>
    </li>
  )
}
