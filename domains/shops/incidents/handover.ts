import type { LocalizedText } from '#kit/resource/index.ts'
import { durationText } from './duration-text.ts'

/** Handover of a shift as data; its sentences are generated in either language. */
export type ShiftHandover = {
  from: string
  until: string
  /** Number of new cases, and of those open at the start. */
  came: number
  before: number
  done: number
  itself: number
  left: number
  /** Seconds until cases were answered: median, 95th percentile and longest; 0 if none was. */
  answer: { count: number; p50: number; p95: number; max: number }
  kinds: { kind: string; came: number; done: number }[]
  outcomes: { outcome: string; count: number }[]
  said: number
  doors: number
  open: { id: string; kind: string; shopId: string; shopName: string; since: string; takerName: string }[]
  watch: { why: keyof typeof watchReasonTexts; shopId: string; shopName: string; count: number }[]
}

/** Reasons why the next shift should watch a shop. */
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

/** Returns the sentences of a handover in reading order. */
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
