import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useLocalize } from '#kit/web/base/language.tsx'
import { homeWords as words } from './home-words.ts'

/** Picker for two dates. */
export default function DayRangePicker({
  from,
  to,
  onChange,
}: {
  from: string
  to: string
  onChange: (key: string) => void
}) {
  const t = useLocalize()
  return (
    <DatePicker.RangePicker
      value={[dayjs(from), dayjs(to)]}
      allowClear={false}
      aria-label={t(words.period)}
      maxDate={dayjs()}
      onChange={(days) =>
        days?.[0] && days[1] && onChange(`${days[0].format('YYYY-MM-DD')}~${days[1].format('YYYY-MM-DD')}`)
      }
    />
  )
}
