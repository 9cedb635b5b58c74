/** A sentence or label in both languages of the product. Both are required by type. */
export type Words = { zh: string; en: string }

export type Lang = keyof Words

/**
 * `{name}` placeholders are replaced by `params.name`; a missing one stays visible, so that it is noticed. In
 * `{count|device|devices}` the number chooses the word: what is one is said as one.
 */
export function fill(sentence: string, params: Record<string, unknown> = {}): string {
  return sentence.replace(
    /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g,
    (whole, key: string, one?: string, many?: string) => {
      if (params[key] === undefined) return whole
      return one === undefined ? String(params[key]) : Number(params[key]) === 1 ? one : many!
    },
  )
}

export function say(words: Words, lang: Lang, params?: Record<string, unknown>): string {
  return fill(words[lang], params)
}

/** A sentence with what it tells of, still in both languages. */
export const filled = ({ zh, en }: Words, params: Record<string, unknown> = {}): Words => ({
  zh: fill(zh, params),
  en: fill(en, params),
})

/** Where what goes on in the background for somebody is found, with its files. */
export const MY_TASKS: Words = { zh: '我的任务', en: 'Exports and imports' }

/** What stands between names that are counted up in a sentence. */
export const BETWEEN_NAMES: Words = { zh: '、', en: ', ' }

/** The names in `{…}` of a sentence. */
export const holesOf = ({ zh }: Words): string[] => [...zh.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
