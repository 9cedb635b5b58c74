import { InputNumber } from 'antd'
import { useId } from 'react'
import { fieldProblemSentence } from '#kit/fields/problem-sentence.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import type { CampaignType, RuleProblem } from './campaign-rules.ts'
import './marketing.css'

/** State of the rule form: its values, how to change them, and the problems found. */
export type RuleForm = {
  type: CampaignType
  rules: Record<string, any>
  set: (change: object) => void
  values: Record<string, unknown>
  id: string
  problems: RuleProblem[]
}

/** One number of a rule: its key in the rule, its label and unit. */
export type RuleNumberDefinition = {
  at: string
  label: LocalizedText
  hint?: LocalizedText
  unit?: '¥' | '%'
  decimals?: number
}

/** Whether a bundle consists of named products instead of any few. */
export const isBundleOfNamedGoods = (rules: Record<string, any>): boolean =>
  rules.named === true || (Array.isArray(rules.items) && rules.items.length > 0)

type Props = {
  form: RuleForm
  number: RuleNumberDefinition
  id?: string
  value?: unknown
  onChange?: (value: string | number) => void
}

/** A number of the rule with what is wrong about it below. */
export function RuleNumberInput({ form, number, id, value, onChange }: Props) {
  const { at, label, hint, unit, decimals = 2 } = number
  const now = value ?? form.rules[at]
  const put = onChange ?? ((next: string | number) => form.set({ [at]: next }))
  const t = useLocalize()
  const language = useLanguage()
  const wrong = form.problems.find((one) => one.at === at)
  const own = useId()
  return (
    <div className="campaign-number">
      <label htmlFor={id ?? own}>
        {t(label)}
        {hint && <span className="kit-quiet"> {t(hint)}</span>}
      </label>
      <InputNumber<string>
        stringMode
        id={id ?? own}
        min="0"
        precision={decimals}
        inputMode="decimal"
        value={now === '' || now === undefined || now === null ? null : String(now)}
        status={wrong && 'error'}
        aria-invalid={!!wrong}
        aria-describedby={wrong && `${own}-wrong`}
        prefix={unit === '¥' ? '¥' : undefined}
        suffix={unit === '%' ? '%' : undefined}
        onChange={(next) => put(next === null ? '' : decimals ? next : Number(next))}
      />
      {wrong && (
        <span id={`${own}-wrong`} className="kit-error" role="alert">
          {fieldProblemSentence(wrong.problem, wrong, language)}
        </span>
      )}
    </div>
  )
}
