import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useScreenSize } from '#kit/web/base/screen.ts'

type Props = {
  id: string
  from: string
  to: string
  onChange: (from: string, to: string) => void
  defaultOpen?: boolean
}

const day = (text: string) => (text ? dayjs(text.slice(0, 10)) : null)

/** First and last day of a time filter. */
export default function DateRangeFilter({ id, from, to, onChange, defaultOpen }: Props) {
  return (
    <DatePicker.RangePicker
      id={{ start: id }}
      className="kit-fill"
      inputReadOnly={useScreenSize() === 0}
      value={[day(from), day(to)]}
      allowEmpty={[true, true]}
      defaultOpen={defaultOpen}
      onChange={(range) => onChange(range?.[0]?.format('YYYY-MM-DD') ?? '', range?.[1]?.format('YYYY-MM-DD') ?? '')}
    />
  )
}
