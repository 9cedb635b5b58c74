import type { Lang, LocalizedText } from '../resource/localized-text.ts'

const known = new Map<string, string>()

/**
 * A sentence the system writes into a row where otherwise people do; kept as it is stored, so that readers of another
 * language get theirs.
 */
export function defineSystemText(words: LocalizedText): string {
  known.set(words.zh, words.en)
  return words.zh
}

/** Between a sentence of the system and what stands behind it: names, or somebody else's own words. */
export const SYSTEM_TEXT_SEPARATOR = ' | '

/** What the system wrote, in the reader's language; what people wrote, or stands behind it, stays as it is. */
export function translateSystemText(text: string, lang: Lang): string {
  if (lang !== 'en') return text
  const [ours, ...said] = text.split(SYSTEM_TEXT_SEPARATOR)
  return known.get(text) ?? [known.get(ours!) ?? ours, ...said].join(SYSTEM_TEXT_SEPARATOR)
}

/** The same for a text field of rows on their way out. */
export function translateSystemTextField(wire: Record<string, unknown>[], key: string, lang: Lang): void {
  for (const row of wire) if (typeof row[key] === 'string') row[key] = translateSystemText(row[key], lang)
}
