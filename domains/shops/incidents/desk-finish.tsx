import { Button } from 'antd'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { words } from './desk-words.ts'
import { operatorCaseOutcomeKeys } from './dictionaries.ts'

type Props = { isSending: boolean; onFinish: (outcome: string, remark: string) => void; onCancel: () => void }

/** Form for the outcome of a case: digits or arrows choose, Enter finishes. */
export function CaseOutcomeForm({ isSending, onFinish, onCancel }: Props) {
  const t = useLocalize()
  const [outcome, setOutcome] = useState<string>(operatorCaseOutcomeKeys[0])
  const [remark, setRemark] = useState('')
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector<HTMLElement>('input[type=radio]:checked')?.focus(), [])

  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      onCancel()
    }
    const chosen = operatorCaseOutcomeKeys[Number(event.key) - 1]
    if (!chosen || (event.target as HTMLElement).matches('[type=text]')) return
    event.preventDefault()
    setOutcome(chosen)
    form.current?.querySelector<HTMLElement>(`[value="${chosen}"]`)?.focus()
  }

  return (
    <form
      ref={form}
      className="guard-finish"
      onKeyDown={keys}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSending) onFinish(outcome, remark)
      }}
    >
      <fieldset>
        <legend>{t(words.outcome)}</legend>
        {operatorCaseOutcomeKeys.map((key, at) => (
          <Outcome key={key} value={key} digit={at + 1} isOn={key === outcome} onChoose={setOutcome} />
        ))}
      </fieldset>
      <input
        type="text"
        className="guard-remark"
        value={remark}
        maxLength={500}
        aria-label={t(words.remark)}
        placeholder={t(words.remark)}
        onChange={(event) => setRemark(event.target.value)}
      />
      <div className="guard-finish-foot">
        <span className="kit-quiet">{t(words.finishHint)}</span>
        <Button onClick={onCancel}>{t(words.cancel)}</Button>
        <Button type="primary" htmlType="submit" loading={isSending}>
          {t(words.finish)}
        </Button>
      </div>
    </form>
  )
}

type OutcomeProps = { value: string; digit: number; isOn: boolean; onChoose: (value: string) => void }

function Outcome({ value, digit, isOn, onChoose }: OutcomeProps) {
  const { choices } = useDictionary('guard_outcome')
  return (
    <label data-on={isOn}>
      <input type="radio" name="guard-outcome" value={value} checked={isOn} onChange={() => onChoose(value)} />
      <span>{choices.find(({ key }) => key === value)?.label ?? value}</span>
      <kbd>{digit}</kbd>
    </label>
  )
}
