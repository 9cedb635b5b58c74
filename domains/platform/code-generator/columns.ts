/** A column of a foreign table, as introspection finds it in either database. */
export type ForeignColumn = {
  name: string
  /** The type as its database writes it, with its length: `varchar(40)`, `numeric(10,2)`. */
  type: string
  /** The type without length, in lower case; of an enumeration `enum`, of a list that of its members. */
  base: string
  length: number
  decimals: number
  isRequired: boolean
  isList: boolean
  isUnsigned: boolean
  isKey: boolean
  /** Filled by the database: a sequence, an expression. */
  isMade: boolean
  /** The default, where it is a plain value. */
  value: string
  comment: string
  /** Values of an enumeration. */
  values: string[]
  /** The table a foreign key of this column alone leads to. */
  refTable: string
  /** Names of the unique indexes it stands in. */
  uniques: string[]
}

export type ForeignTable = { name: string; comment: string; columns: ForeignColumn[] }

/** One choice of a dictionary that a comment or an enumeration proposes. */
export type ProposedDictionaryEntry = { key: string; zh: string; en: string }

const words = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** `shelf_no` as a name of ours: `shelfNo`. Empty where nothing of it can stand in a name. */
export function toCamelCase(name: string): string {
  const [first = '', ...rest] = words(name)
  const joined = first + rest.map(capital).join('')
  return /^\d/.test(joined) ? `n${joined}` : joined
}

/** `shelf_no` as English words: `Shelf no`. */
export const toEnglishLabel = (name: string): string => capital(words(name).join(' ')) || 'Field'

/** The class an older client expects of a table: its name without the first word. */
export function legacyClassName(table: string): string {
  const [, ...rest] = words(table)
  return rest.length ? rest.map(capital).join('') : capital(toCamelCase(table))
}

const BREAK = /[:：(（[【,，;；。\n]/

/** What a comment says a column is called, before it begins to explain. */
export function labelFromComment(comment: string): string {
  const head = comment.split(BREAK)[0]!
  const isListing = parseChoicesFromComment(comment).length > 0
  return (isListing ? head.split(/\s(?=\d)/)[0]! : head).trim().slice(0, 40)
}

const NUMBERED =
  /(?:^|[\s,，;；、/|(（[【:：])(\d{1,4})\s*[-=:：.、]?\s*([\p{Script=Han}A-Za-z][^\s,，;；、/|)）\]】:：]*)/gu
const NAMED =
  /(?:^|[\s,，;；、/|(（[【:：])([A-Za-z]\w{0,19})\s*[-=]\s*([\p{Script=Han}A-Za-z][^\s,，;；、/|)）\]】:：]*)/gu

/** Choices that a comment lists: `温层：1常温 2冷藏`, `state (a=active, b=blocked)`. */
export function parseChoicesFromComment(comment: string): ProposedDictionaryEntry[] {
  for (const pattern of [NUMBERED, NAMED]) {
    const found = [...comment.matchAll(pattern)].map(([, key, word]) => ({ key: key!, word: word! }))
    const keys = new Set(found.map(({ key }) => key))
    if (found.length > 1 && keys.size === found.length)
      return found.map(({ key, word }) => ({ key, zh: word, en: /\p{Script=Han}/u.test(word) ? '' : capital(word) }))
  }
  return []
}

/** Columns every family of ours has by itself, under our name or one that is usual elsewhere. */
const MACHINERY = new Set(
  (
    'id tenant_id create_user create_dept create_time update_user update_time is_deleted version ' +
    'created_at updated_at deleted_at created_by updated_by deleted_by deleted creator updater gmt_create gmt_modified'
  ).split(' '),
)

export const isBookkeepingColumn = (name: string): boolean => MACHINERY.has(words(name).join('_'))
