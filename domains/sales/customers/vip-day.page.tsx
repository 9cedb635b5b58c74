import type { WireRow } from '#kit/resource/index.ts'
import { Button } from 'antd'
import { useState } from 'react'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { useNow } from '#kit/web/parts/relative-time.tsx'
import { isMemberDayOn } from './member-days.ts'
import { vipDay } from './vip-day.resource.ts'
import './members.css'

type Row = WireRow<typeof vipDay>

const words = {
  intro: {
    zh: '每周或每月的会员日，会员当天享受折扣或多倍积分；门店自己的会员日优先',
    en:
      'Weekly or monthly member days with discounts or extra points. A member day of the store takes ' +
      'priority over one of all stores.',
  },
  before: { zh: '上个月', en: 'Previous month' },
  after: { zh: '下个月', en: 'Next month' },
  calendar: { zh: '会员日日历', en: 'Member day calendar' },
}

const DAY = 86_400_000
const SHANGHAI = 8 * 3_600_000
const iso = (moment: Date) => moment.toISOString().slice(0, 10)

/** The month by days, with the member days of the list that fall on them. */
function Month({ list }: { list: ResourceList<Row> }) {
  const t = useLocalize()
  const language = useLanguage()
  const today = iso(new Date(useNow() + SHANGHAI))
  const [shift, setShift] = useState(0)
  const first = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1 + shift, 1))
  const count = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate()
  const blanks = (first.getUTCDay() + 6) % 7
  const locale = language === 'zh' ? 'zh-CN' : 'en'
  const weekdays = Array.from({ length: 7 }, (_none, at) =>
    new Date(Date.UTC(2024, 0, 1 + at)).toLocaleDateString(locale, { weekday: 'short', timeZone: 'UTC' }),
  )
  const days = list.rows.filter((row) => String(row.enabled) === 'true').map(asDay)

  return (
    <section className="member-month" aria-label={t(words.calendar)}>
      <header>
        <Button
          type="text"
          icon={<Icon name="left" />}
          aria-label={t(words.before)}
          onClick={() => setShift(shift - 1)}
        />
        {first.toLocaleDateString(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' })}
        <Button
          type="text"
          icon={<Icon name="right" />}
          aria-label={t(words.after)}
          onClick={() => setShift(shift + 1)}
        />
      </header>
      <ul className="member-days">
        {weekdays.map((name) => (
          <li key={name} data-is="head">
            {name}
          </li>
        ))}
        {Array.from({ length: blanks }, (_none, at) => (
          <li key={`b${at}`} data-is="none" />
        ))}
        {Array.from({ length: count }, (_none, at) => {
          const date = iso(new Date(first.getTime() + at * DAY))
          return (
            <li key={date} data-is={date === today ? 'today' : undefined}>
              {at + 1}
              {days
                .filter((day) => isMemberDayOn(day, date))
                .map((day) => (
                  <em key={day.id} title={day.name}>
                    {day.name}
                  </em>
                ))}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const asDay = (row: Row) => ({
  id: String(row.id),
  name: String(row.name),
  cycle: String(row.cycle),
  days: String(row.days ?? '')
    .split(',')
    .filter(Boolean),
  startDate: String(row.startDate ?? '') || null,
  endDate: String(row.endDate ?? '') || null,
})

export default createResourcePage(vipDay, { intro: words.intro, head: (list) => <Month list={list} /> })
