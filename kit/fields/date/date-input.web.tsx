import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { createContext, use, useState, type ComponentProps } from 'react'
import { fieldKindOf } from '../kinds.ts'
import { useScreenSize } from '#kit/web/base/screen.ts'
import { useAriaRequired } from '../../web/base/required.ts'
import type { InputProps } from '../web-kind.ts'
import { parseTypedDate } from './typed-date.ts'

/**
 * Input of a day, or of a day with time if the kind has one. Takes and gives the wire's text; text it cannot read stays
 * as typed, for its check to refuse.
 */
export default function DateInput({ field, value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const isRequired = useAriaRequired()
  const isPhone = useScreenSize() === 0
  const hasTime = fieldKindOf(field).readsAs === 'moment' && !field.asDay
  const format = hasTime ? 'YYYY-MM-DD HH:mm:ss' : 'YYYY-MM-DD'
  const [typed, setTyped] = useState<string>()
  const text = String(value ?? '')
  const read = parseTypedDate(text, hasTime)
  const take = () => {
    if (typed === undefined) return
    setTyped(undefined)
    const next = typed.trim() && (parseTypedDate(typed, hasTime, field.isEnd) ?? typed)
    if (next !== (read ?? text)) onChange(next)
  }
  return (
    <Typing value={{ typed, kept: read ? '' : text, type: setTyped, take }}>
      <DatePicker
        id={id}
        className="kit-fill"
        // On a phone the keyboard would cover the calendar.
        inputReadOnly={isPhone}
        components={TYPED}
        // Otherwise the day under the pointer would replace the text being typed.
        previewValue={typed === undefined ? 'hover' : false}
        showTime={hasTime && (field.isEnd ? { defaultOpenValue: dayjs().endOf('day') } : true)}
        format={format}
        value={read ? dayjs(read) : null}
        onChange={(next) => onChange(next ? next.format(format) : '')}
        disabled={disabled}
        status={invalid ? 'error' : undefined}
        aria-describedby={describedBy}
        aria-required={isRequired}
      />
    </Typing>
  )
}

type Typed = { typed: string | undefined; kept: string; type: (text: string | undefined) => void; take: () => void }
const Typing = createContext<Typed>({ typed: undefined, kept: '', type: () => {}, take: () => {} })

/** Text box of the date picker. Replaces antd's own, which accepts one format only and discards any other text. */
function TypedInput(props: ComponentProps<'input'>) {
  const { typed, kept, type, take } = use(Typing)
  return (
    <input
      {...props}
      value={typed ?? (props.value || kept)}
      onChange={(event) => {
        type(event.target.value)
        props.onChange?.(event)
      }}
      onKeyDown={(event) => {
        props.onKeyDown?.(event)
        if (event.key === 'Escape') type(undefined)
        if (event.key === 'Enter' || event.key === 'Tab') take()
      }}
      onBlur={(event) => {
        props.onBlur?.(event)
        take()
      }}
    />
  )
}

const TYPED = { input: TypedInput }
