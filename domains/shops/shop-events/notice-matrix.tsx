import { Button, Checkbox, Switch, TimePicker } from 'antd'
import dayjs from 'dayjs'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { useReportUnsavedWork } from '#kit/web/base/unsaved.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTab } from '#kit/web/base/tab.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { eventLevels, type EventType } from './event.resource.ts'
import { noticeChannels, noticeSubscribe } from './notice-subscribe.resource.ts'
import { useMyNoticeSettings, type MyNoticeSettings } from './use-own-notices.ts'
import './events.css'

const words = {
  on: { zh: '接收通知', en: 'Receive notifications' },
  event: { zh: '发生什么', en: 'Event' },
  all: { zh: '全选', en: 'All' },
  shops: { zh: '哪些门店', en: 'Stores' },
  allShops: { zh: '我的全部门店', en: 'All my stores' },
  quiet: { zh: '免打扰', en: 'Quiet hours' },
  quietHint: {
    zh: '其间的通知等到结束再发；紧急事件照发。',
    en: 'Notifications wait until quiet hours end. Urgent events are sent anyway.',
  },
  from: { zh: '从', en: 'From' },
  until: { zh: '到', en: 'To' },
  unset: {
    zh: '还没有设置微信通知模板，勾选后会在通知记录里注明原因',
    en: 'No WeChat message template is set up. The notification log will show the reason.',
  },
  untied: {
    zh: '您的账号还没有绑定微信，请管理员在“店主微信”里绑定，否则微信通知发不到',
    en: 'Your account has no linked WeChat. Ask an administrator to link it under “Owner WeChat accounts”.',
  },
  both: { zh: '免打扰的开始和结束要一起填', en: 'Enter both start and end of quiet hours' },
  same: { zh: '免打扰的开始和结束不能相同', en: 'Quiet hours cannot start and end at the same time' },
  nothing: {
    zh: '没有勾选任何通知，什么都不会收到',
    en: 'Nothing is selected. You will not receive any notifications.',
  },
  save: { zh: '保存', en: 'Save' },
  tell: { zh: '{event}：{channel}', en: '{event}: {channel}' },
}

const types = (Object.keys(eventLevels) as EventType[]).toSorted((a, b) => eventLevels[b] - eventLevels[a])

type Props = { own: MyNoticeSettings }

/** The user's own notification settings: types by channel, shops and quiet hours. */
export function NoticeSubscriptionMatrix() {
  const t = useLocalize()
  const own = useMyNoticeSettings()
  useReportUnsavedWork(own.isChanged, t(noticeSubscribe.label), useTab().key)

  if (own.error) return <ErrorNote title={t(kit.failedDetail)} error={own.error} retry={own.again} />
  const { now } = own
  if (!now) return <span className="kit-skeleton" />

  return (
    <div className="notice-matrix">
      <label className="notice-on">
        <Switch checked={now.enabled} onChange={(enabled) => own.set({ enabled })} /> {t(words.on)}
      </label>
      <table aria-disabled={!now.enabled}>
        <Head own={own} />
        <Body own={own} />
      </table>
      <Hints own={own} isOn={now.enabled} />
      <div className="notice-rest">
        <div>
          <strong>{t(words.shops)}</strong>
          <RowPicker
            to="basicShopInfo"
            multiple
            label={t(words.shops)}
            value={now.shopIds.join(',')}
            placeholder={t(words.allShops)}
            onChange={(ids) => own.set({ shopIds: ids ? ids.split(',') : [] })}
          />
        </div>
        <Quiet own={own} start={now.quietStart} end={now.quietEnd} />
      </div>
      <div>
        <Button
          type="primary"
          size="large"
          disabled={!own.isChanged || !!wrongOf(now.quietStart, now.quietEnd)}
          loading={own.isSaving}
          onClick={() => void own.save().catch(() => {})}
        >
          {t(words.save)}
        </Button>
      </div>
    </div>
  )
}

/** Returns a function from dictionary keys to labels. */
function useLabels(code: string) {
  const { choices } = useDictionary(code)
  return (key: string) => choices.find((one) => one.key === key)?.label ?? key
}

function Head({ own: { has, put } }: Props) {
  const t = useLocalize()
  const channelLabelOf = useLabels('notice_channel')
  return (
    <thead>
      <tr>
        <th scope="col">{t(words.event)}</th>
        {noticeChannels.map((channel) => (
          <th key={channel} scope="col">
            <span>{channelLabelOf(channel)}</span>
            <Checkbox
              aria-label={`${t(words.all)} ${channelLabelOf(channel)}`}
              checked={types.every((type) => has(type, channel))}
              indeterminate={types.some((type) => has(type, channel)) && !types.every((type) => has(type, channel))}
              onChange={({ target }) => put(types, channel, target.checked)}
            />
          </th>
        ))}
      </tr>
    </thead>
  )
}

function Body({ own: { has, put } }: Props) {
  const t = useLocalize()
  const channelLabelOf = useLabels('notice_channel')
  const eventOf = useLabels('event_type')
  return (
    <tbody>
      {types.map((type) => (
        <tr key={type}>
          <th scope="row">
            {eventOf(type)} <DictTag code="event_level" value={eventLevels[type]} />
          </th>
          {noticeChannels.map((channel) => (
            <td key={channel}>
              <Checkbox
                aria-label={t(words.tell, { event: eventOf(type), channel: channelLabelOf(channel) })}
                checked={has(type, channel)}
                onChange={({ target }) => put([type], channel, target.checked)}
              />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

function Hints({ own: { has, now }, isOn }: Props & { isOn: boolean }) {
  const t = useLocalize()
  return (
    <>
      {isOn && !types.some((type) => noticeChannels.some((channel) => has(type, channel))) && (
        <p className="kit-quiet">
          <Icon name="info-circle" /> {t(words.nothing)}
        </p>
      )}
      {now && now.wechat !== 'ready' && types.some((type) => has(type, 'wechat')) && (
        <p className="kit-quiet">
          <Icon name="info-circle" /> {t(words[now.wechat])}
        </p>
      )}
    </>
  )
}

const wrongOf = (start: string, end: string): LocalizedText | undefined =>
  Boolean(start) !== Boolean(end) ? words.both : start && start === end ? words.same : undefined

/** Input for the quiet hours, in which only urgent events are notified. */
function Quiet({ own, start, end }: Props & { start: string; end: string }) {
  const t = useLocalize()
  const wrong = wrongOf(start, end)
  const set = (key: 'quietStart' | 'quietEnd') => (time: string | undefined) =>
    own.set(time ? { [key]: time } : { quietStart: '', quietEnd: '' })
  return (
    <div>
      <strong>{t(words.quiet)}</strong>
      <span className="notice-hours">
        <Clock label={t(words.from)} value={start} onChange={set('quietStart')} />
        <span>{t(words.until)}</span>
        <Clock label={t(words.until)} value={end} onChange={set('quietEnd')} />
      </span>
      {wrong ? (
        <span className="kit-error" role="alert">
          {t(wrong)}
        </span>
      ) : (
        <small className="kit-quiet">{t(words.quietHint)}</small>
      )}
    </div>
  )
}

type ClockProps = { label: string; value: string; onChange: (time: string | undefined) => void }

const Clock = ({ label, value, onChange }: ClockProps) => (
  <TimePicker
    aria-label={label}
    placeholder={label}
    format="HH:mm"
    minuteStep={5}
    needConfirm={false}
    value={value ? dayjs(`2026-01-01T${value}`) : null}
    onChange={(time) => onChange(time?.format('HH:mm'))}
  />
)
