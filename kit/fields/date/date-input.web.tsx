import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { kindOf } from '../kinds.ts'
import { useScreen } from '#kit/web/screen.ts'
import { useRequired } from '../required.ts'
import type { InputProps } from '../web-kind.ts'

/** A day or a moment, as its kind reads; in and out as the wire's text. */
export default function DateInput({ field, value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const isRequired = useRequired()
  const isPhone = useScreen() === 0
  const hasTime = kindOf(field).readsAs === 'moment'
  const format = hasTime ? 'YYYY-MM-DD HH:mm:ss' : 'YYYY-MM-DD'
  const moment = value ? dayjs(String(value)) : null
  return (
    <DatePicker
      id={id}
      className="kit-fill"
      // The keyboard would cover the days.
      inputReadOnly={isPhone}
      showTime={hasTime}
      format={format}
      value={moment?.isValid() ? moment : null}
      onChange={(next) => onChange(next ? next.format(format) : '')}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      aria-required={isRequired}
    />
  )
}
