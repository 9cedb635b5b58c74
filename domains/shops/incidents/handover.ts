import type { LocalizedText } from '#kit/resource/index.ts'
import { durationText } from './duration-text.ts'

/** What one watch hands to the next, in figures and rows; its sentences follow from it in either language. */
export type ShiftHandover = {
  from: string
  until: string
  /** Cases that came meanwhile, and those open when it began. */
  came: number
  before: number
  done: number
  itself: number
  left: number
  /** Seconds until somebody answered: half of them, 95 of a hundred, the longest; 0 where nobody did. */
  answer: { count: number; p50: number; p95: number; max: number }
  kinds: { kind: string; came: number; done: number }[]
  outcomes: { outcome: string; count: number }[]
  said: number
  doors: number
  open: { id: string; kind: string; shopId: string; shopName: string; since: string; takerName: string }[]
  watch: { why: keyof typeof watchReasonTexts; shopId: string; shopName: string; count: number }[]
}

/** Shops the next one keeps an eye on, and why. */
export const watchReasonTexts = {
  often: { zh: '{shop}：本班出了 {count} 件事', en: '{shop}: {count} {count|case|cases} in this shift' },
  offline: {
    zh: '{shop}：网关离线，开不了门也喊不了话',
    en: '{shop}: gateway offline, doors and talk-down unavailable',
  },
  held: { zh: '{shop}：门处于常开', en: '{shop}: a door is held open' },
  unpaid: { zh: '{shop}：{count} 次未付款离店', en: '{shop}: {count} {count|walkout|walkouts}' },
} satisfies Record<string, LocalizedText>

const handoverWords = {
  came: {
    zh: '接班时有 {before} 件未结，本班又来了 {came} 件',
    en: '{before} {before|case was|cases were} open at the start, {came} came in',
  },
  done: {
    zh: '处理完 {done} 件，自行恢复 {itself} 件，留给下一班 {left} 件',
    en: '{done} closed, {itself} auto-resolved, {left} left for the next shift',
  },
  answered: {
    zh: '响应 {count} 件：一半在 {p50}内，95% 在 {p95}内，最长 {max}',
    en: '{count} responded: half within {p50}, 95% within {p95}, longest {max}',
  },
  deeds: {
    zh: '喊话 {said} 次，开关门 {doors} 次',
    en: '{said} {said|talk-down|talk-downs}, {doors} door {doors|command|commands}',
  },
} satisfies Record<string, LocalizedText>

type Say = (words: LocalizedText, params: Readonly<Record<string, unknown>>) => string

/** The sentences of a hand-over, in the order they are read out. */
export function handoverSentences(one: ShiftHandover, say: Say): string[] {
  const { count, p50, p95, max } = one.answer
  const long = (seconds: number) => say(durationText(seconds), {})
  return [
    say(handoverWords.came, one),
    say(handoverWords.done, one),
    ...(count ? [say(handoverWords.answered, { count, p50: long(p50), p95: long(p95), max: long(max) })] : []),
    ...(one.said || one.doors ? [say(handoverWords.deeds, one)] : []),
  ]
}
