import { fillLocalizedText, type LocalizedText } from '#kit/resource/index.ts'

const words = {
  seconds: { zh: '{count} 秒', en: '{count} s' },
  minutes: { zh: '{count} 分钟', en: '{count} min' },
  hours: { zh: '{hours} 小时 {minutes} 分钟', en: '{hours} h {minutes} min' },
} satisfies Record<string, LocalizedText>

const SECONDS_TO = 120
const MINUTES_TO = 120

/** Formats seconds as seconds, minutes or hours and minutes. */
export function durationText(seconds: number): LocalizedText {
  if (seconds < SECONDS_TO) return fillLocalizedText(words.seconds, { count: Math.round(seconds) })
  const minutes = Math.round(seconds / 60)
  if (minutes < MINUTES_TO) return fillLocalizedText(words.minutes, { count: minutes })
  return fillLocalizedText(words.hours, { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}
