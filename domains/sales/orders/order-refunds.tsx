import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Action } from '#kit/resource/define-resource.ts'
import { PrintRowButton } from '#kit/web/list/print-button.tsx'
import type { ActionRequest } from '#kit/web/form/action-dialog.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { Thumbnails } from '#kit/web/inputs/thumbnails.tsx'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { formatAmount } from '#kit/fields/money/cents.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { RelativeTime } from '#kit/web/parts/relative-time.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { REFUND_STATE } from './dictionaries.ts'
import { isPositiveAmount } from './order-price.tsx'
import { words } from './order-words.ts'
import { createRefundAction } from './refund-words.ts'
import { refunds } from './refunds.resource.ts'
import { useRefundApproval } from './use-may-sign.ts'
import type { OrderRefund, WholeOrder } from './use-whole-order.ts'
import './orders.css'

const ActionDialog = lazy(() => import('#kit/web/form/action-dialog.tsx'))

/** The refunds of an order, with the actions the reader may take on them. */
export function OrderRefunds({ whole }: { whole: WholeOrder }) {
  const [actionRequest, setActionRequest] = useState<ActionRequest>()
  return (
    <>
      <ul className="order-refunds">
        {whole.refunds.map((refund) => (
          <Refund
            key={refund.id}
            refund={refund}
            onAsk={(name, action) => setActionRequest({ name, action, rows: [refund] })}
          />
        ))}
      </ul>
      <Suspense>
        {actionRequest && (
          <ActionDialog resource={refunds} asked={actionRequest} onClose={() => setActionRequest(undefined)} />
        )}
      </Suspense>
    </>
  )
}

type RefundProps = { refund: OrderRefund; onAsk: (name: string, action: Action) => void }

function Refund({ refund, onAsk }: RefundProps) {
  const t = useLocalize()
  return (
    <li>
      <header>
        <strong>
          <Money value={refund.amount} />
        </strong>
        <DictTag code="refund_status" value={refund.status} />
        <span className="kit-grow" />
        <RelativeTime at={refund.createTime} />
      </header>
      <p>
        {refund.lines.map((line) => `${line.name} ×${line.quantity}`).join(t(words.and))}
        {isPositiveAmount(refund.freight) && ` + ${t(words.freight)} ¥${formatAmount(refund.freight)}`}
      </p>
      <p className="kit-quiet">
        {t(words.why, { reason: refund.reason })} ·{' '}
        {t(
          !refund.restock
            ? words.notRestocked
            : refund.status === REFUND_STATE.succeeded
              ? words.restocked
              : words.restocks,
        )}
      </p>
      <Standing refund={refund} />
      <footer>
        <small>
          <RowLink to="refunds" id={refund.id}>
            {refund.refundNo}
          </RowLink>
        </small>
        <span className="kit-grow" />
        <PrintRowButton resource={refunds} row={refund} />
        <Decisions refund={refund} onAsk={onAsk} />
      </footer>
    </li>
  )
}

/** What a refund waits for, its reason, and the remarks of the approvers. */
function Standing({ refund }: Pick<RefundProps, 'refund'>) {
  const t = useLocalize()
  const hindrance = useRefundApproval().hindrance(refund)
  const waitsForSecond = refund.status === REFUND_STATE.applied && refund.signaturesNeeded === 2
  return (
    <>
      {waitsForSecond && (
        <p className="order-odd">
          {[refund.auditUserName && t(words.signedBy, { user: refund.auditUserName }), t(words.waitsSecond)]
            .filter(Boolean)
            .join(t(words.and))}
        </p>
      )}
      {hindrance === 'limit' && <p className="order-odd">{t(words.aboveLimit)}</p>}
      {refund.pictures && <Thumbnails links={refund.pictures.split(',')} label={refunds.fields.pictures.label} />}
      {refund.auditRemark && (
        <p className="kit-quiet">{t(words.decided, { user: refund.auditUserName, remark: refund.auditRemark })}</p>
      )}
      {refund.secondRemark && (
        <p className="kit-quiet">{t(words.decided, { user: refund.secondUserName, remark: refund.secondRemark })}</p>
      )}
      {(refund.status === REFUND_STATE.processing || refund.status === REFUND_STATE.succeeded) &&
        refund.channelNote && <p className={refund.isAbnormal ? 'kit-bad' : 'kit-quiet'}>{refund.channelNote}</p>}
      {refund.status === REFUND_STATE.failed && refund.failReason && (
        <p className="kit-bad">{t(words.failed, { reason: refund.failReason })}</p>
      )}
    </>
  )
}

function Decisions({ refund, onAsk }: RefundProps) {
  const t = useLocalize()
  const may = {
    approve: useHasPermission('refunds_approve'),
    reject: useHasPermission('refunds_reject'),
    retry: useHasPermission('refunds_retry'),
    redirect: useHasPermission('refunds_redirect'),
    handOver: useHasPermission('refunds_handOver'),
  }
  const open = {
    approve: refund.status === REFUND_STATE.applied,
    reject: refund.status === REFUND_STATE.applied,
    retry: refund.status === REFUND_STATE.failed,
    redirect: refund.status === REFUND_STATE.processing && refund.isAbnormal === true,
    handOver: refund.status === REFUND_STATE.failed,
  }
  const hindrance = useRefundApproval().hindrance(refund)
  const buttons = (['approve', 'reject', 'retry', 'handOver', 'redirect'] as const).filter(
    (name) => may[name] && open[name] && !(name === 'approve' && hindrance),
  )
  return buttons.map((name) => {
    const action = createRefundAction(name, refund)
    return (
      <Button
        key={name}
        danger={action.danger}
        type={name === 'reject' || name === 'handOver' ? 'default' : 'primary'}
        onClick={() => onAsk(name, action)}
      >
        {t(action.label)}
      </Button>
    )
  })
}
