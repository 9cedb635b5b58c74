import { Input, Switch } from 'antd'
import { useLocalize } from '#kit/web/base/language.tsx'
import { SuggestedTexts } from '#kit/web/parts/suggested-texts.tsx'
import { words } from './refund-dialog-words.ts'
import { isSpoiltRefundReason, refundReasons } from './refund-reasons.ts'
import type { RefundChoiceState } from './use-refund-choice.ts'
import './orders.css'

const REASON_MAX = 200

/** Input for the reason: usual ones to tap, or free text. */
export function RefundReasonInput({ choice, onEnter }: { choice: RefundChoiceState; onEnter: () => void }) {
  const t = useLocalize()
  const { reason, setReason, isReasonMissing } = choice
  return (
    <div className="kit-field">
      <label htmlFor="refund-reason">
        {t(words.reason)}{' '}
        <span className="kit-required" aria-hidden>
          *
        </span>
      </label>
      <SuggestedTexts words={refundReasons.map(({ label }) => label)} value={reason} onChoose={setReason} />
      <Input
        id="refund-reason"
        size="large"
        value={reason}
        maxLength={REASON_MAX}
        status={isReasonMissing ? 'error' : undefined}
        aria-invalid={isReasonMissing}
        aria-describedby="refund-reason-error"
        onChange={(event) => setReason(event.target.value)}
        onPressEnter={onEnter}
      />
      {isReasonMissing && (
        <div id="refund-reason-error" className="kit-error" role="alert">
          {t(words.reasonMissing)}
        </div>
      )}
    </div>
  )
}

/** Switch whether the products go back into stock. The reason sets it until the user changes it. */
export function RefundRestockSwitch({ choice }: { choice: RefundChoiceState }) {
  const t = useLocalize()
  const { restock, isRestockSaid, reason } = choice
  const hint = restock
    ? words.restockOn
    : !isRestockSaid && isSpoiltRefundReason(reason)
      ? words.restockSpoilt
      : words.restockOff
  return (
    <label className="refund-restock">
      <Switch checked={restock} onChange={choice.setRestock} />
      <span>
        {t(words.restock)}
        <small className="kit-quiet">{t(hint)}</small>
      </span>
    </label>
  )
}
