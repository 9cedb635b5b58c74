import { Alert, Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { formatYuan } from '#kit/fields/money/cents.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { Money } from '#kit/web/parts/money.tsx'
import { words } from './refund-dialog-words.ts'
import { RefundLinesInput } from './refund-lines.tsx'
import { formatCentsAsYuan } from './refund-preview.ts'
import { RefundReasonInput, RefundRestockSwitch } from './refund-reason.tsx'
import { RefundConfirmation } from './refund-sure.tsx'
import { useRefundChoice, type RefundChoiceState as Choice } from './use-refund-choice.ts'
import { useRefundSend } from './use-refund-send.ts'
import type { WholeOrder } from './use-whole-order.ts'
import './orders.css'

const Uploader = lazy(() => import('#kit/web/inputs/uploader.tsx'))

const PICTURES_MAX = 5

type Props = { whole: WholeOrder; onMade: (id: string) => void; onClose: () => void; onStale: () => void }

/** Form of a refund: lines and reason, then a confirmation of the consequences. */
export function RefundChoiceForm({ whole, onMade, onClose, onStale }: Props) {
  const t = useLocalize()
  const choice = useRefundChoice(whole)
  const [isSure, setSure] = useState(false)
  const sending = useRefundSend({
    onMade,
    // Somebody else refunded meanwhile: show what is left.
    onStale: () => {
      setSure(false)
      onStale()
    },
  })
  if (!choice.lines.length)
    return (
      <>
        <Alert type="info" showIcon title={t(words.none)} />
        <div className="refund-foot">
          <Button size="large" onClick={onClose}>
            {t(kit.close)}
          </Button>
        </div>
      </>
    )
  if (isSure)
    return <RefundConfirmation whole={whole} choice={choice} sending={sending} onBack={() => setSure(false)} />
  const proceed = () => {
    sending.setProblem(undefined)
    if (choice.isComplete()) setSure(true)
  }

  return (
    <div className="refund-choice">
      <RefundLinesInput choice={choice} />
      <RefundReasonInput choice={choice} onEnter={proceed} />
      <RefundRestockSwitch choice={choice} />
      <div className="kit-field">
        <label htmlFor="refund-pictures">{t(words.pictures)}</label>
        <Suspense fallback={<span className="kit-skeleton" />}>
          <Uploader
            id="refund-pictures"
            links={choice.pictures}
            onChange={choice.setPictures}
            pictures
            maxCount={PICTURES_MAX}
          />
        </Suspense>
      </div>
      {sending.problem && <Alert type="warning" showIcon title={sending.problem} />}
      <Foot choice={choice} onClose={onClose} onNext={proceed} />
    </div>
  )
}

function Foot({ choice, onClose, onNext }: { choice: Choice; onClose: () => void; onNext: () => void }) {
  const t = useLocalize()
  const { total, freight } = choice
  return (
    <div className="refund-foot">
      <span className="refund-total" aria-live="polite">
        <Money value={formatYuan(total)} />
        {freight > 0 && <small className="kit-quiet">{t(words.freight, { amount: formatCentsAsYuan(freight) })}</small>}
      </span>
      <Button size="large" onClick={onClose}>
        {t(kit.cancel)}
      </Button>
      <Button size="large" type="primary" onClick={onNext}>
        {t(words.next)}
      </Button>
    </div>
  )
}
