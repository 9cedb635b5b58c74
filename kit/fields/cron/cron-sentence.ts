import cronstrue from 'cronstrue'
import 'cronstrue/locales/zh_CN.js'
import type { Lang } from '#kit/base/localized-text.ts'

/** A schedule of five fields as a sentence: "在08:00，每天", "At 08:00, every day". Expects a valid one. */
export function describeCron(cron: string, lang: Lang): string {
  const [, hour = '*'] = cron.trim().split(/\s+/)
  const sentence = cronstrue.toString(cron, {
    locale: lang === 'zh' ? 'zh_CN' : 'en',
    use24HourTimeFormat: true,
    // "Every day" belongs to times of a day alone; "every 5 minutes" needs no "every hour, every day" behind it.
    verbose: /^[\d,]+$/.test(hour),
  })
  return lang === 'zh' ? withChinesePunctuation(sentence) : sentence
}

/** The library separates its Chinese phrases with Western commas and spaces. */
function withChinesePunctuation(sentence: string): string {
  return sentence.replaceAll(', ', '，').replace(/(?<=\p{Script=Han}|，) +| +(?=\p{Script=Han})/gu, '')
}
