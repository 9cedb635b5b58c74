import { Input } from 'antd'
import { useEffect, useState } from 'react'
import { PART_SEARCH_CHARACTERS_MIN, type Field } from './base/field-kind.ts'
import { isPersonalField } from './base/masks.ts'
import { VISIBLE_MASK_ENDS } from './base/mask-functions.ts'
import { useLocalize, type LocalizeFunction } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import { useAriaRequired } from '../web/base/required.ts'
import type { CellProps, FilterProps, InputProps } from './web-kind.ts'

/** One line of text; the whole of it shows on hover when it is cut. */
export function TextLineCell({ value, place }: Pick<CellProps, 'value' | 'place'>) {
  const text = String(value)
  return place === 'detail' ? (
    <span className="kit-wrap">{text}</span>
  ) : (
    <span className="kit-line" data-tip-cut={text}>
      {text}
    </span>
  )
}

/**
 * Returns the character counter of an antd input, shown from 80 % of `max` on. Counts like the length check: an emoji
 * is one.
 */
export const characterCountConfig = (max: number) => ({
  max,
  show: ({ count }: { count: number }) => (count > max * 0.8 ? `${count}/${max}` : ''),
  strategy: (text: string) => [...text].length,
})

type LineInputProps = InputProps & {
  inputMode?: 'tel' | 'email' | 'url' | 'text' | 'numeric'
  autoComplete?: string
  placeholder?: string
}

/** The plain one-line input behind text, phone, e-mail and address. */
export function TextLineInput({
  field,
  value,
  onChange,
  id,
  disabled,
  invalid,
  describedBy,
  inputMode,
  autoComplete = 'off',
  placeholder,
}: LineInputProps) {
  const isRequired = useAriaRequired()
  const max = field.max
  return (
    <Input
      id={id}
      value={String(value ?? '')}
      onChange={(event) => onChange(event.target.value)}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      aria-required={isRequired}
      inputMode={inputMode}
      autoComplete={autoComplete}
      placeholder={placeholder}
      count={max && max <= 500 ? characterCountConfig(max) : undefined}
    />
  )
}

/** Returns the placeholder of a search box, which tells how many characters it needs if it cannot search any part. */
function hintOf(field: Field, t: LocalizeFunction): string {
  const end = isPersonalField(field) ? VISIBLE_MASK_ENDS[field.mask!] : undefined
  if (end) return t(words.inputEnd, { count: end.length })
  return field.search === 'part' ? t(words.inputPart, { count: PART_SEARCH_CHARACTERS_MIN }) : t(words.input)
}

/** The plain search box: applies on Enter and when it is left. */
export function TextFilter({ value, onChange, id, field }: FilterProps) {
  const t = useLocalize()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  const apply = () => {
    setText(text.trim())
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <Input
      id={id}
      value={text}
      allowClear
      placeholder={hintOf(field, t)}
      onPressEnter={apply}
      onBlur={apply}
      onChange={(event) => {
        setText(event.target.value)
        if (event.target.value === '' && value !== '') onChange('')
      }}
    />
  )
}
