import type { Lang, Words } from '../resource/words.ts'

const known = new Map<string, string>()

/**
 * A sentence the system writes into a row where otherwise people do; kept as it is stored, so that readers of another
 * language get theirs.
 */
export function systemWords(words: Words): string {
  known.set(words.zh, words.en)
  return words.zh
}

/** What the system wrote, in the reader's language; what people wrote stays as it is. */
export const systemWordsIn = (text: string, lang: Lang): string => (lang === 'en' ? (known.get(text) ?? text) : text)

/** The same for a text field of rows on their way out. */
export function presentSystemWords(wire: Record<string, unknown>[], key: string, lang: Lang): void {
  for (const row of wire) if (typeof row[key] === 'string') row[key] = systemWordsIn(row[key], lang)
}
