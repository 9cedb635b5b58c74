import { Alert, Button } from 'antd'
import { wireYuanToCents, formatAmount } from '#kit/fields/money/cents.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useHasPermission } from '#kit/web/session/can.ts'
import { words } from './refund-dialog-words.ts'
import { formatCentsAsYuan } from './refund-preview.ts'
import { useRefundApproval } from './use-may-sign.ts'
import type { RefundChoiceState } from './use-refund-choice.ts'
import type { RefundSending } from './use-refund-send.ts'
import type { WholeOrder } from './use-whole-order.ts'
import './orders.css'

type Props = { whole: WholeOrder; choice: RefundChoiceState; sending: RefundSending; onBack: () => void }

/** Confirmation of a refund: amount, customer, lines, and what happens to the products. */
export function RefundConfirmation({ whole, choice, sending, onBack }: Props) {
  const t = useLocalize()
  const isNow = useHasPermission('refunds_approve')
  const { order } = whole
  const { total } = choice
  const question = order.wxUserId ? (isNow ? words.confirmTo : words.askTo) : isNow ? words.confirm : words.askPlain
  return (
    <div className="refund-sure">
      <p className="refund-question">{t(question, { amount: formatCentsAsYuan(total), name: order.wxUserName })}</p>
      <Consequences whole={whole} choice={choice} />
      {isNow && <Signatures whole={whole} total={total} />}
      {sending.problem && <Alert type="warning" showIcon title={sending.problem} />}
      <div className="refund-foot">
        <Button size="large" disabled={sending.isSending} onClick={onBack}>
          {t(words.back)}
        </Button>
        <Button
          size="large"
          type="primary"
          danger={isNow}
          autoFocus={!isNow}
          loading={sending.isSending}
          onClick={() => void sending.send(order.id, choice)}
        >
          {isNow ? t(words.doNow, { amount: formatCentsAsYuan(total) }) : t(words.doAsk)}
        </Button>
      </div>
    </div>
  )
}

function Consequences({ whole, choice }: { whole: WholeOrder; choice: RefundChoiceState }) {
  const t = useLocalize()
  const { picked, freight, restock, reason } = choice
  const channels = [...new Set(whole.payments.map((one) => one.channelName))].join(t(words.and))
  return (
    <dl className="order-facts">
      <div>
        <dt>{t(words.goods)}</dt>
        <dd>
          {picked.map(({ line, pieces }) => (
            <div key={line.id}>
              {line.name} ×{pieces}
            </div>
          ))}
          {freight > 0 && <div className="kit-quiet">{t(words.freight, { amount: formatCentsAsYuan(freight) })}</div>}
        </dd>
      </div>
      <div>
        <dt>{t(words.way)}</dt>
        <dd>{t(words.wayText, { channels })}</dd>
      </div>
      <div>
        <dt>{t(words.stock)}</dt>
        <dd>
          {restock
            ? t(words.stockPlus, { count: picked.reduce((sum, one) => sum + one.pieces, 0) })
            : t(words.stockSame)}
        </dd>
      </div>
      <div>
        <dt>{t(words.reason)}</dt>
        <dd>{reason.trim()}</dd>
      </div>
    </dl>
  )
}

/** Says who else must approve the refund. */
function Signatures({ whole, total }: { whole: WholeOrder; total: number }) {
  const t = useLocalize()
  const { rules, isWithin, needsSecond } = useRefundApproval()
  if (!rules) return null
  if (!isWithin(total))
    return <Alert type="info" showIcon title={t(words.aboveLimit, { limit: formatAmount(rules.limit) })} />
  const together = total + wireYuanToCents(whole.order.payAmount) - wireYuanToCents(whole.refundableAmount)
  if (!needsSecond(together)) return null
  return <Alert type="info" showIcon title={t(words.needsSecond, { above: formatAmount(rules.secondAbove) })} />
}
