import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Segmented, Switch, TimePicker } from 'antd'
import dayjs from 'dayjs'
import { useState } from 'react'
import { get, post } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useSay } from '#kit/web/language.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { Picker } from '#kit/web/form/picker.tsx'
import { ResourcePage } from '#kit/web/resource-page.tsx'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/parts/toast.ts'
import { useSession } from '#kit/web/session/session.ts'
import { useUnsaved } from '#kit/web/form/unsaved.ts'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import { useMay } from '#kit/web/session/use-may.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { eventLevels, type EventType } from './event.resource.ts'
import { channels, noticeSubscribe } from './notice-subscribe.resource.ts'
import './events.css'

const words = {
  intro: { zh: '门店出事时，怎么通知谁', en: 'Who is told how when something happens in the shops' },
  mine: { zh: '我的通知', en: 'My notices' },
  everybody: { zh: '所有人的订阅', en: "Everybody's subscriptions" },
  show: { zh: '显示', en: 'Show' },
  on: { zh: '接收通知', en: 'Tell me' },
  event: { zh: '发生什么', en: 'When this happens' },
  all: { zh: '全选', en: 'All' },
  shops: { zh: '哪些门店', en: 'Which shops' },
  allShops: { zh: '我的全部门店', en: 'All my shops' },
  quiet: { zh: '免打扰', en: 'Quiet hours' },
  quietHint: { zh: '其间的通知等到结束再发；紧急事件照发。', en: 'Notices wait until they end; urgent ones do not.' },
  from: { zh: '从', en: 'From' },
  until: { zh: '到', en: 'until' },
  wechatHint: {
    zh: '微信公众号尚未配置，勾选后会在通知记录里注明原因',
    en: 'No WeChat account is set up yet; such notices are noted with the reason',
  },
  both: { zh: '免打扰的开始和结束要一起填', en: 'Quiet hours need a beginning and an end' },
  same: { zh: '免打扰的开始和结束不能相同', en: 'Quiet hours cannot begin when they end' },
  nothing: { zh: '没有勾选任何通知，什么都不会收到', en: 'Nothing is ticked: nothing will be told' },
  save: { zh: '保存', en: 'Save' },
  saved: { zh: '已保存', en: 'Saved' },
  tell: { zh: '{event}：{channel}', en: '{event}: {channel}' },
}

type Mine = {
  cells: Record<string, string[]>
  shopIds: string[]
  quietStart: string
  quietEnd: string
  enabled: boolean
}

const types = (Object.keys(eventLevels) as EventType[]).toSorted((a, b) => eventLevels[b] - eventLevels[a])
const KEY = ['own-subscriptions']

/** A person's own notices as a matrix of what and how; beside it everybody's, for who keeps them. */
export default function NoticeSubscribePage() {
  const say = useSay()
  const may = useMay(noticeSubscribe)
  const isLimited = useSession((session) => ['boss', 'clerk'].includes(String(session.user?.roleName)))
  const [isMine, setMine] = useState(true)
  const tabs = may.add && !isLimited && (
    <Segmented
      className="kit-tabs"
      value={isMine ? 'mine' : 'everybody'}
      onChange={(next) => setMine(next === 'mine')}
      aria-label={say(words.show)}
      options={[
        { value: 'mine', label: say(words.mine) },
        { value: 'everybody', label: say(words.everybody) },
      ]}
    />
  )
  if (!isMine) return <ResourcePage resource={noticeSubscribe} page={{ intro: words.intro, head: () => tabs }} />
  return (
    <div className="kit-page">
      <header className="kit-title">
        <h1>{say(noticeSubscribe.label)}</h1>
        <p>{say(words.intro)}</p>
      </header>
      <section className="kit-list">
        {tabs}
        <Matrix />
      </section>
    </div>
  )
}

function Matrix() {
  const say = useSay()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: () => get<Mine>(`${noticeSubscribe.path}/mine`, undefined, { quiet: true }),
  })
  const [changed, setChanged] = useState<Mine>()
  const [isSaving, setSaving] = useState(false)
  const { choices: events } = useDictionary('event_type')
  const { choices: ways } = useDictionary('notice_channel')
  useUnsaved(!!changed, say(noticeSubscribe.label), useTab().key)
  if (error) return <ErrorNote title={say(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return <span className="kit-skeleton" />
  const now = changed ?? data
  const set = (patch: Partial<Mine>) => setChanged({ ...now, ...patch })
  const labelOf = (list: readonly { key: string; label: string }[], key: string) =>
    list.find((one) => one.key === key)?.label ?? key
  const has = (type: string, channel: string) => now.cells[type]?.includes(channel) ?? false
  const put = (list: readonly string[], channel: string, isOn: boolean) =>
    set({
      cells: {
        ...now.cells,
        ...Object.fromEntries(
          list.map((type) => [
            type,
            [...(now.cells[type] ?? []).filter((one) => one !== channel), ...(isOn ? [channel] : [])],
          ]),
        ),
      },
    })
  const wrong =
    Boolean(now.quietStart) !== Boolean(now.quietEnd)
      ? words.both
      : now.quietStart && now.quietStart === now.quietEnd
        ? words.same
        : undefined
  const save = async () => {
    setSaving(true)
    try {
      const saved = await post<Mine>(`${noticeSubscribe.path}/mine/save`, { body: now })
      client.setQueryData(KEY, saved)
      setChanged(undefined)
      toast.success(say(words.saved))
    } finally {
      setSaving(false)
    }
  }
  const clock = (key: 'quietStart' | 'quietEnd', label: string) => (
    <TimePicker
      aria-label={label}
      placeholder={label}
      format="HH:mm"
      minuteStep={5}
      needConfirm={false}
      value={now[key] ? dayjs(`2026-01-01T${now[key]}`) : null}
      onChange={(time) => (time ? set({ [key]: time.format('HH:mm') }) : set({ quietStart: '', quietEnd: '' }))}
    />
  )
  return (
    <div className="notice-matrix">
      <label className="notice-on">
        <Switch checked={now.enabled} onChange={(enabled) => set({ enabled })} /> {say(words.on)}
      </label>
      <table aria-disabled={!now.enabled}>
        <thead>
          <tr>
            <th scope="col">{say(words.event)}</th>
            {channels.map((channel) => (
              <th key={channel} scope="col">
                <span>{labelOf(ways, channel)}</span>
                <Checkbox
                  aria-label={`${say(words.all)} ${labelOf(ways, channel)}`}
                  checked={types.every((type) => has(type, channel))}
                  indeterminate={types.some((type) => has(type, channel)) && !types.every((type) => has(type, channel))}
                  onChange={({ target }) => put(types, channel, target.checked)}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {types.map((type) => (
            <tr key={type}>
              <th scope="row">
                {labelOf(events, type)} <DictTag code="event_level" value={eventLevels[type]} />
              </th>
              {channels.map((channel) => (
                <td key={channel}>
                  <Checkbox
                    aria-label={say(words.tell, { event: labelOf(events, type), channel: labelOf(ways, channel) })}
                    checked={has(type, channel)}
                    onChange={({ target }) => put([type], channel, target.checked)}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {now.enabled && !types.some((type) => channels.some((channel) => has(type, channel))) && (
        <p className="kit-quiet">
          <Icon name="info-circle" /> {say(words.nothing)}
        </p>
      )}
      {types.some((type) => has(type, 'wechat')) && (
        <p className="kit-quiet">
          <Icon name="info-circle" /> {say(words.wechatHint)}
        </p>
      )}
      <div className="notice-rest">
        <div>
          <strong>{say(words.shops)}</strong>
          <Picker
            to="basicShopInfo"
            multiple
            label={say(words.shops)}
            value={now.shopIds.join(',')}
            placeholder={say(words.allShops)}
            onChange={(ids) => set({ shopIds: ids ? ids.split(',') : [] })}
          />
        </div>
        <div>
          <strong>{say(words.quiet)}</strong>
          <span className="notice-hours">
            {clock('quietStart', say(words.from))}
            <span>{say(words.until)}</span>
            {clock('quietEnd', say(words.until))}
          </span>
          {wrong ? (
            <span className="kit-error" role="alert">
              {say(wrong)}
            </span>
          ) : (
            <small className="kit-quiet">{say(words.quietHint)}</small>
          )}
        </div>
      </div>
      <div>
        <Button
          type="primary"
          size="large"
          disabled={!changed || !!wrong}
          loading={isSaving}
          onClick={() => void save().catch(() => {})}
        >
          {say(words.save)}
        </Button>
      </div>
    </div>
  )
}
