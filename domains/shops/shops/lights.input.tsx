import { Button, TimePicker } from 'antd'
import dayjs from 'dayjs'
import { jsonList } from '#kit/fields/json/json-list.ts'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import './shops.css'

const words = {
  add: { zh: '添加时段', en: 'Add period' },
  remove: { zh: '删除时段', en: 'Remove period' },
  from: { zh: '开灯', en: 'Lights on' },
  until: { zh: '关灯', en: 'Lights off' },
  days: [
    { zh: '一', en: 'Mo' },
    { zh: '二', en: 'Tu' },
    { zh: '三', en: 'We' },
    { zh: '四', en: 'Th' },
    { zh: '五', en: 'Fr' },
    { zh: '六', en: 'Sa' },
    { zh: '日', en: 'Su' },
  ],
  daily: { zh: '每天', en: 'Every day' },
  always: { zh: '全天照明', en: 'Always on' },
}

type Light = { from: string; to: string; days: number[] }

const at = (time: string) => dayjs(`2026-01-01T${time}`)

/** Input for when the lights are on, by weekday. */
export function LightScheduleInput({ value, onChange, id }: InputProps) {
  const t = useLocalize()
  const lights = jsonList<Light>(value)
  const set = (next: Light[]) => onChange(JSON.stringify(next))
  const put = (index: number, patch: Partial<Light>) =>
    set(lights.map((one, n) => (n === index ? { ...one, ...patch } : one)))

  return (
    <div className="lights" id={id}>
      {lights.map((one, index) => (
        <div key={index} className="lights-row">
          {(['from', 'to'] as const).map((key) => (
            <TimePicker
              key={key}
              aria-label={t(key === 'from' ? words.from : words.until)}
              format="HH:mm"
              minuteStep={5}
              needConfirm={false}
              allowClear={false}
              value={at(one[key])}
              onChange={(time) => put(index, { [key]: time?.format('HH:mm') ?? one[key] })}
            />
          ))}
          <span className="lights-days">
            {words.days.map((day, n) => (
              <button
                key={day.en}
                type="button"
                aria-pressed={one.days.includes(n + 1)}
                onClick={() =>
                  put(index, {
                    days: one.days.includes(n + 1)
                      ? one.days.filter((had) => had !== n + 1)
                      : [...one.days, n + 1].toSorted((a, b) => a - b),
                  })
                }
              >
                {t(day)}
              </button>
            ))}
          </span>
          <button
            type="button"
            className="shops-remove"
            aria-label={t(words.remove)}
            onClick={() => set(lights.filter((_one, n) => n !== index))}
          >
            <Icon name="delete" />
          </button>
        </div>
      ))}
      <Button
        icon={<Icon name="plus" />}
        onClick={() => set([...lights, { from: '18:00', to: '23:00', days: [1, 2, 3, 4, 5, 6, 7] }])}
      >
        {t(words.add)}
      </Button>
    </div>
  )
}

export function LightScheduleCell({ value }: Pick<CellProps, 'value'>) {
  const t = useLocalize()
  const lights = jsonList<Light>(value)
  if (!lights.length) return <span className="kit-quiet">{t(words.always)}</span>
  return (
    <>
      {lights
        .map(
          ({ from, to, days }) =>
            `${from}–${to} ` +
            `${days.length === 7 ? t(words.daily) : days.map((day) => t(words.days[day - 1]!)).join(' ')}`,
        )
        .join('；')}
    </>
  )
}
