import { Button, InputNumber, Select } from 'antd'
import { jsonList } from '#kit/fields/json/json-list.ts'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import {
  ABSENT_OFFICE_MODES,
  DOOR_HELD_OPEN_SECONDS_RANGE,
  DOOR_RELOCK_SECONDS_RANGE,
  type DoorSetting,
} from './door-settings.ts'
import './shops.css'

const words = {
  add: { zh: '单独设置一扇门', en: 'Set up a door separately' },
  remove: { zh: '按门店设置', en: 'Use store settings' },
  doorNo: { zh: '门号', en: 'Door no.' },
  relockSeconds: { zh: '开门保持（秒）', en: 'Unlock time (s)' },
  heldSeconds: { zh: '开门超时（秒）', en: 'Held-open alarm (s)' },
  absentOffice: { zh: '断网时', en: 'When offline' },
  asShop: { zh: '同门店', en: 'Same as store' },
  refuse: { zh: '不开门', en: 'Stay closed' },
  open: { zh: '开门', en: 'Open' },
  none: { zh: '各门相同', en: 'Same for all doors' },
  door: { zh: '{doorNo} 号门', en: 'Door {doorNo}' },
}

const nextDoor = (doors: readonly DoorSetting[]): number => Math.max(0, ...doors.map(({ doorNo }) => doorNo)) + 1

/** Settings of a door in seconds, with their limits. */
const SECONDS_OF_DOOR = [
  ['relockSeconds', DOOR_RELOCK_SECONDS_RANGE],
  ['heldSeconds', DOOR_HELD_OPEN_SECONDS_RANGE],
] as const

/** Input for doors whose settings differ from the shop's; empty values are as in the shop. */
export function DoorSettingsInput({ value, onChange, id }: InputProps) {
  const t = useLocalize()
  const doors = jsonList<DoorSetting>(value)
  const set = (next: DoorSetting[]) => onChange(JSON.stringify(next))
  const put = (index: number, patch: Partial<DoorSetting>) =>
    set(doors.map((one, n) => (n === index ? { ...one, ...patch } : one)))

  return (
    <div className="lights" id={id}>
      {doors.map((one, index) => (
        <div key={index} className="lights-row doors-row">
          <label>
            <small>{t(words.doorNo)}</small>
            <InputNumber
              min={1}
              max={99}
              precision={0}
              value={one.doorNo}
              onChange={(doorNo) => put(index, { doorNo: doorNo ?? one.doorNo })}
            />
          </label>
          {SECONDS_OF_DOOR.map(([key, { min, max }]) => (
            <label key={key}>
              <small>{t(words[key])}</small>
              <InputNumber
                placeholder={t(words.asShop)}
                min={min}
                max={max}
                precision={0}
                value={one[key]}
                onChange={(seconds) => put(index, { [key]: seconds ?? undefined })}
              />
            </label>
          ))}
          <label>
            <small>{t(words.absentOffice)}</small>
            <Select
              placeholder={t(words.asShop)}
              allowClear
              value={one.absentOffice}
              options={ABSENT_OFFICE_MODES.map((key) => ({ value: key, label: t(words[key]) }))}
              onChange={(absentOffice) => put(index, { absentOffice: absentOffice ?? undefined })}
            />
          </label>
          <button
            type="button"
            className="shops-remove"
            aria-label={t(words.remove)}
            onClick={() => set(doors.filter((_one, n) => n !== index))}
          >
            <Icon name="delete" />
          </button>
        </div>
      ))}
      <Button icon={<Icon name="plus" />} onClick={() => set([...doors, { doorNo: nextDoor(doors) }])}>
        {t(words.add)}
      </Button>
    </div>
  )
}

export function DoorSettingsCell({ value }: Pick<CellProps, 'value'>) {
  const t = useLocalize()
  const doors = jsonList<DoorSetting>(value)
  if (!doors.length) return <span className="kit-quiet">{t(words.none)}</span>
  return <>{doors.map(({ doorNo }) => t(words.door, { doorNo })).join(', ')}</>
}
