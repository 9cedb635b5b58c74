/** A sentence or label in both languages of the product. Both are required by type. */
export type Words = { zh: string; en: string }

export type Lang = keyof Words

/** `{name}` placeholders are replaced by `params.name`; a missing one stays visible, so that it is noticed. */
export function fill(sentence: string, params: Record<string, unknown> = {}): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, key: string) =>
    params[key] === undefined ? whole : String(params[key]),
  )
}

export function say(words: Words, lang: Lang, params?: Record<string, unknown>): string {
  return fill(words[lang], params)
}

/** What stands between names that are counted up in a sentence. */
export const BETWEEN_NAMES: Words = { zh: '、', en: ', ' }
