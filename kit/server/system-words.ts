import type { Words } from '../resource/words.ts'

const known = new Map<string, string>()

/** A sentence the system writes into a row where otherwise people do; kept as it is stored, so that readers of another language get theirs. */
export function systemWords(words: Words): string {
  known.set(words.zh, words.en)
  return words.zh
}

/** Puts what the system wrote into a field into the reader's language; what people wrote stays as it is. */
export function presentSystemWords(wire: Record<string, unknown>[], key: string, lang: 'zh' | 'en'): void {
  if (lang === 'en') for (const row of wire) row[key] = known.get(String(row[key])) ?? row[key]
}

/** One such sentence, for whoever reads it outside of a row's own wire form. */
export const systemWordsIn = (text: string, lang: 'zh' | 'en'): string => (lang === 'en' ? (known.get(text) ?? text) : text)
