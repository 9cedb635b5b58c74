import type { Lang } from '#kit/resource/localized-text.ts'

const DAYS = {
  zh: ['周日', '周一', '周二', '周三', '周四', '周五', '周六', '周日'],
  en: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
}
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

type Say = (value: number) => string

/** Puts one part of a schedule, such as "1-5,7" or "every 10", into words; `one` names a value, `step` a step. */
function list(part: string, one: Say, lang: Lang, step: (size: number) => string): string {
  return part
    .split(',')
    .map((item) => {
      const [range = '*', size] = item.split('/')
      const [from, to] = range.split('-').map(Number) as [number, number?]
      const span =
        range === '*' ? '' : to === undefined ? one(from) : `${one(from)}${lang === 'zh' ? '至' : ' to '}${one(to)}`
      if (!size) return span
      return lang === 'zh' ? `${span}${step(Number(size))}` : `${step(Number(size))}${span && ` from ${span}`}`
    })
    .join(lang === 'zh' ? '、' : ', ')
}

const isNumber = (part: string) => /^\d+$/.test(part)
const two = (value: string | number) => String(value).padStart(2, '0')

function clock(minute: string, hour: string, lang: Lang): string {
  if (isNumber(minute) && hour !== '*' && hour.split(',').every(isNumber)) return timesOfDay(minute, hour, lang)
  return lang === 'zh' ? clockInChinese(minute, hour) : clockInEnglish(minute, hour)
}

function timesOfDay(minute: string, hours: string, lang: Lang): string {
  const times = hours
    .split(',')
    .map((one) => `${two(one)}:${two(minute)}`)
    .join(lang === 'zh' ? '、' : ', ')
  return lang === 'zh' ? times : `at ${times}`
}

function clockInChinese(minute: string, hour: string): string {
  const minutes =
    minute === '*'
      ? '每分钟'
      : list(
          minute,
          (value) => `${value}分`,
          'zh',
          (size) => `每${size}分钟`,
        )
  if (hour === '*') return /^[\d,-]+$/.test(minute) ? `每小时的${minutes}` : minutes
  const hours = list(
    hour,
    (value) => `${value}点`,
    'zh',
    (size) => `每${size}小时`,
  )
  return hour.includes('/') && minute === '0' ? `${hours}整点` : `${hours}的${minutes}`
}

function minutesInEnglish(minute: string): string {
  if (minute === '*') return 'every minute'
  if (isNumber(minute)) return `at minute ${minute}`
  return list(minute, String, 'en', (size) => (size === 1 ? 'every minute' : `every ${size} minutes`))
}

function clockInEnglish(minute: string, hour: string): string {
  const minutes = minutesInEnglish(minute)
  if (hour === '*') return isNumber(minute) ? `every hour ${minutes}` : minutes
  const hours = list(
    hour,
    (value) => `${two(value)}:00`,
    'en',
    (size) => `every ${size} hours`,
  )
  if (hour.includes('/')) return minute === '0' ? `${hours} on the hour` : `${hours} ${minutes}`
  return `${minutes}, hours ${hours}`
}

/** A schedule of five fields as a sentence: "每周一至周五 08:00", "Monday to Friday at 08:00". Expects a valid one. */
export function describeCron(cron: string, lang: Lang): string {
  const [minute = '*', hour = '*', day = '*', month = '*', weekday = '*'] = cron.trim().split(/\s+/)
  const time = clock(minute, hour, lang)
  return lang === 'zh' ? inChinese(time, day, month, weekday) : inEnglish(time, day, month, weekday)
}

/** Puts a part of a schedule into words; returns "" for `*`. */
const unless = (part: string, one: Say, lang: Lang, step: Say): string =>
  part === '*' ? '' : list(part, one, lang, step)

function inChinese(time: string, day: string, month: string, weekday: string): string {
  const zh = (part: string, one: Say, step: Say) => unless(part, one, 'zh', step)
  const months = zh(
    month,
    (value) => `${value}月`,
    (size) => `每${size}个月`,
  )
  const days = zh(
    day,
    (value) => `${value}日`,
    (size) => `每${size}天`,
  )
  const week = zh(
    weekday,
    (value) => DAYS.zh[value] ?? '',
    (size) => `${size}天`,
  )
  const ofMonth = days && (months || day.includes('/') ? days : `每月${days}`)
  // Cron matches a day by its date or its weekday, either suffices; the month has to match in any case.
  const either = [ofMonth, week && `每${week}`].filter(Boolean).join('或')
  const when = months ? `${months}${days && week ? '的' : ''}${either || '每天'}` : either
  const isClock = /^\d/.test(time) && time.includes(':')
  return when ? `${when} ${time}` : isClock ? `每天 ${time}` : time
}

function inEnglish(time: string, day: string, month: string, weekday: string): string {
  const en = (part: string, one: Say, step: Say) => unless(part, one, 'en', step)
  const months = en(
    month,
    (value) => MONTHS[value - 1] ?? '',
    (size) => `every ${size} months`,
  )
  const days = en(day, String, (size) => `every ${size} days`)
  const week = en(
    weekday,
    (value) => DAYS.en[value] ?? '',
    (size) => `every ${size} days`,
  )
  const ofMonth = days && !day.includes('/') ? `day ${days} of the month` : days
  const when = [[ofMonth, week].filter(Boolean).join(' or '), months && `in ${months}`].filter(Boolean).join(' ')
  const sentence = when ? `${when} ${time}` : time.startsWith('at ') && time.includes(':') ? `daily ${time}` : time
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}
