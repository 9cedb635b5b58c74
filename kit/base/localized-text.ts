/**
 * A sentence or label in both languages of the product. `many`: irregular English plural of a label, as of "Staff".
 * `isName`: the English label begins with a name, whose capital is kept within a sentence.
 */
export type LocalizedText = { zh: string; en: string; many?: string; isName?: true }

export type Lang = 'zh' | 'en'

/**
 * Replaces `{name}` by `params.name`; a missing parameter stays visible, so that it is noticed.
 * `{count|device|devices}` chooses the word by the number: the first for 1, else the second.
 */
export function interpolate(sentence: string, params: Record<string, unknown> = {}): string {
  return sentence.replace(
    /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g,
    (whole, key: string, one?: string, many?: string) => {
      if (params[key] === undefined) return whole
      return one === undefined ? String(params[key]) : Number(params[key]) === 1 ? one : many!
    },
  )
}

export function localize(words: LocalizedText, lang: Lang, params?: Record<string, unknown>): string {
  return interpolate(words[lang], params)
}

/** Fills the placeholders of both languages. */
export const fillLocalizedText = ({ zh, en }: LocalizedText, params: Record<string, unknown> = {}): LocalizedText => ({
  zh: interpolate(zh, params),
  en: interpolate(en, params),
})

/** Name of the panel in which people find their background imports and exports with the files. */
export const BACKGROUND_TASKS_LABEL: LocalizedText = { zh: '导入导出', en: 'Imports & exports' }

/** English nouns that have no separate plural. */
const SAME_IN_PLURAL = /\b(?:log|history|inbox|usage|content|staff|data|leave|status|access|credentials)$/i

function pluralOfNoun(noun: string): string {
  if (SAME_IN_PLURAL.test(noun) || (/s$/i.test(noun) && !/ss$/i.test(noun))) return noun
  if (/[^aeiou]y$/i.test(noun)) return `${noun.slice(0, -1)}ies`
  return /(?:ss|x|ch|sh)$/i.test(noun) ? `${noun}es` : `${noun}s`
}

/**
 * Returns the plural of a label: "Orders" of "Order", "Devices of a work order" of "Device of a work order". Chinese is
 * unchanged.
 */
export function pluralOf({ zh, en, many }: LocalizedText): LocalizedText {
  if (many !== undefined) return { zh, en: many }
  const [head = '', ...rest] = en.split(/(?= (?:of|at|in|for|with) )/)
  return { zh, en: [pluralOfNoun(head), ...rest].join('') }
}

/**
 * Returns the unit for a value, from "singular|plural": of `day|days` "day" for 1, else "days". A unit without `|`
 * never changes.
 */
export function pluralizeUnit(unit: LocalizedText, lang: Lang, value: unknown): string {
  const [one = '', many = one] = unit[lang].split('|')
  return Number(value) === 1 ? one : many
}

/** Whether a word is a name by its capitals or dots, such as WeChat, Ele.me and API. */
const looksLikeName = (word: string): boolean => /^.+[A-Z.]|^[A-Z]$/.test(word)

/**
 * Lower-cases an English label for use within a sentence: "Purchase order" becomes "purchase order", "API log" stays.
 */
const withinSentence = (en: string, isName = false): string =>
  isName || looksLikeName(en.split(' ', 1)[0]!) ? en : en.charAt(0).toLowerCase() + en.slice(1)

/** Returns `{label}` and `{labels}` (singular and plural) of a resource for use within a sentence. */
export const sentenceLabelParams = (label: LocalizedText, lang: Lang): { label: string; labels: string } => {
  const [one, many] = [label[lang], pluralOf(label)[lang]]
  if (lang === 'zh') return { label: one, labels: many }
  return { label: withinSentence(one, label.isName), labels: withinSentence(many, label.isName) }
}

/** Separator of names listed in a sentence. */
export const NAME_SEPARATOR: LocalizedText = { zh: '、', en: ', ' }

/** Names of the `{…}` placeholders of a sentence. */
export const placeholderNames = ({ zh }: LocalizedText): string[] =>
  [...zh.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
