import { Input } from 'antd'
import { pluralizeUnit } from '#kit/base/localized-text.ts'
import { useLanguage } from '#kit/web/base/language.tsx'
import { useAriaRequired } from '../../web/base/required.ts'
import type { CellProps, InputProps, WebFieldKind } from '../web-kind.ts'
import { normalizeNumberText } from '../base/clean-text.ts'
import { fieldKindOf } from '../kinds.ts'
import { stepNumberText } from './typed-number.ts'

const group = (text: string) =>
  text.replace(
    /^(-?)(\d+)/,
    (_all, sign: string, whole: string) => (sign ? '−' : '') + whole.replace(/\B(?=(\d{3})+$)/g, ','),
  )

function NumberCell({ field, value }: CellProps) {
  const language = useLanguage()
  const unit = field.unit
  return (
    <span className="kit-number">
      {group(String(value))}
      {unit && <span className="kit-quiet"> {pluralizeUnit(unit, language, value)}</span>}
    </span>
  )
}

type Props = InputProps & { prefix?: string; suffix?: string; decimals?: number }

/**
 * Input of a number as text: an entry that is no number stays on screen with its error, and no digits are lost to
 * binary fractions.
 */
export function NumberInput({
  field,
  value,
  onChange,
  id,
  disabled,
  invalid,
  describedBy,
  prefix,
  suffix,
  decimals,
}: Props) {
  const isRequired = useAriaRequired()
  const language = useLanguage()
  const unit = field.unit
  const places = decimals ?? field.decimals ?? 0
  const text = String(value ?? '')
  return (
    <Input
      id={id}
      className="kit-number-input"
      // The number pads of some phones have no minus sign.
      inputMode={(field.min ?? 0) < 0 ? 'text' : places ? 'decimal' : 'numeric'}
      value={text}
      onChange={(event) => onChange(normalizeNumberText(event.target.value, fieldKindOf(field).suffix))}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
        const next = step ? stepNumberText(text, step) : undefined
        if (next === undefined) return
        event.preventDefault()
        onChange(next)
      }}
      autoComplete="off"
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      aria-required={isRequired}
      prefix={prefix && <span className="kit-quiet">{prefix}</span>}
      suffix={<span className="kit-quiet">{suffix ?? (unit && pluralizeUnit(unit, language, text || undefined))}</span>}
    />
  )
}

export const numberWebKind: WebFieldKind = {
  Cell: NumberCell,
  Input: NumberInput,
  width: 110,
  align: 'right',
  drawnAs: 'text',
}
