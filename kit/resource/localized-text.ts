/**
 * A sentence or label in both languages of the product. Both are required by type. `many` is the English plural of a
 * label where it is irregular, as of "Staff"; `isName` says that an English label begins with a name, whose capital
 * stays within a sentence.
 */
export type LocalizedText = { zh: string; en: string; many?: string; isName?: true }

export type Lang = 'zh' | 'en'

/**
 * `{name}` placeholders are replaced by `params.name`; a missing one stays visible, so that it is noticed. In
 * `{count|device|devices}` the number chooses the word: what is one is said as one.
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

/** A sentence with what it tells of, still in both languages. */
export const formatText = ({ zh, en }: LocalizedText, params: Record<string, unknown> = {}): LocalizedText => ({
  zh: interpolate(zh, params),
  en: interpolate(en, params),
})

/** Where what goes on in the background for somebody is found, with its files. */
export const BACKGROUND_TASKS_LABEL: LocalizedText = { zh: '导入导出', en: 'Imports & exports' }

/** English nouns that are called the same when there are many of them. */
const SAME_IN_PLURAL = /\b(?:log|history|inbox|usage|content|staff|data|leave|status|access|credentials)$/i

function pluralOfNoun(noun: string): string {
  if (SAME_IN_PLURAL.test(noun) || (/s$/i.test(noun) && !/ss$/i.test(noun))) return noun
  if (/[^aeiou]y$/i.test(noun)) return `${noun.slice(0, -1)}ies`
  return /(?:ss|x|ch|sh)$/i.test(noun) ? `${noun}es` : `${noun}s`
}

/** The label of a list: "Orders" of "Order", "Devices of a work order". Chinese says both the same way. */
export function pluralOf({ zh, en, many }: LocalizedText): LocalizedText {
  if (many !== undefined) return { zh, en: many }
  const [head = '', ...rest] = en.split(/(?= (?:of|at|in|for|with) )/)
  return { zh, en: [pluralOfNoun(head), ...rest].join('') }
}

/** A unit behind a value: "1 day", "3 days" of `day|days`; other units are said the same way for all values. */
export function pluralizeUnit(unit: LocalizedText, lang: Lang, value: unknown): string {
  const [one = '', many = one] = unit[lang].split('|')
  return Number(value) === 1 ? one : many
}

/** WeChat, Ele.me and API are names by their looks. */
const looksLikeName = (word: string): boolean => /^.+[A-Z.]|^[A-Z]$/.test(word)

/** An English label within a sentence: "purchase order" of "Purchase order", "API log" as it is. */
const withinSentence = (en: string, isName = false): string =>
  isName || looksLikeName(en.split(' ', 1)[0]!) ? en : en.charAt(0).toLowerCase() + en.slice(1)

/** `{label}` and `{labels}` of a sentence about one row of a resource and about many. */
export const sentenceLabelParams = (label: LocalizedText, lang: Lang): { label: string; labels: string } => {
  const [one, many] = [label[lang], pluralOf(label)[lang]]
  if (lang === 'zh') return { label: one, labels: many }
  return { label: withinSentence(one, label.isName), labels: withinSentence(many, label.isName) }
}

/** What stands between names that are counted up in a sentence. */
export const NAME_SEPARATOR: LocalizedText = { zh: '、', en: ', ' }

/** The names in `{…}` of a sentence. */
export const placeholderNames = ({ zh }: LocalizedText): string[] =>
  [...zh.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
