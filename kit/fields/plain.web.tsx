import { Input } from 'antd'
import { useSay } from '#kit/web/language.tsx'
import { words } from '#kit/web/page-words.ts'
import type { CellProps, FilterProps, InputProps } from './web-kind.ts'

/** One line of text; the whole of it shows on hover when it is cut. */
export function LineCell({ value, place }: Pick<CellProps, 'value' | 'place'>) {
  const text = String(value)
  return place === 'detail' ? <span className="kit-wrap">{text}</span> : <span className="kit-line" data-tip-cut={text}>{text}</span>
}

type LineInputProps = InputProps & { inputMode?: 'tel' | 'email' | 'url' | 'text', autoComplete?: string, placeholder?: string }

/** The plain one-line input behind text, phone, e-mail and address. */
export function LineInput({ field, value, onChange, id, disabled, invalid, describedBy, inputMode, autoComplete = 'off', placeholder }: LineInputProps) {
  const max = field.max as number | undefined
  return (
    <Input
      id={id}
      value={String(value ?? '')}
      onChange={(event) => onChange(event.target.value)}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      inputMode={inputMode}
      autoComplete={autoComplete}
      placeholder={placeholder}
      count={max && max <= 500 ? { show: ({ count }) => (count > max * 0.8 ? `${count}/${max}` : ''), max } : undefined}
    />
  )
}

/** The plain search box: applies on Enter and when it is left. */
export function TextFilter({ value, onChange, id }: FilterProps) {
  const say = useSay()
  return (
    <Input
      key={value}
      id={id}
      defaultValue={value}
      allowClear
      placeholder={say(words.input)}
      onPressEnter={(event) => onChange(event.currentTarget.value.trim())}
      onBlur={(event) => event.currentTarget.value.trim() !== value && onChange(event.currentTarget.value.trim())}
      onChange={(event) => event.target.value === '' && value !== '' && onChange('')}
    />
  )
}
