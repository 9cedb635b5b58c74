import type { Lang, LocalizedText } from '../../base/localized-text.ts'

const known = new Map<string, string>()

/**
 * Registers a sentence the system writes into a text column and returns its Chinese text, which is what is stored.
 * English readers get the translation (`translateSystemText`).
 */
export function defineSystemText(words: LocalizedText): string {
  known.set(words.zh, words.en)
  return words.zh
}

/** Separates a system sentence from what follows it: names, or text from outside. */
export const SYSTEM_TEXT_SEPARATOR = ' | '

/** Translates stored system sentences for the reader; other text, also that behind the separator, is unchanged. */
export function translateSystemText(text: string, lang: Lang): string {
  if (lang !== 'en') return text
  const [ours, ...details] = text.split(SYSTEM_TEXT_SEPARATOR)
  return known.get(text) ?? [known.get(ours!) ?? ours, ...details].join(SYSTEM_TEXT_SEPARATOR)
}

/** Translates one text field of wire rows in place. */
export function translateSystemTextField(wire: Record<string, unknown>[], key: string, lang: Lang): void {
  for (const row of wire) if (typeof row[key] === 'string') row[key] = translateSystemText(row[key], lang)
}
