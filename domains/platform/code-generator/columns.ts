/** A column of a table in an external database, as read from PostgreSQL or MySQL. */
export type ForeignColumn = {
  name: string
  /** The type as its database writes it, with its length: `varchar(40)`, `numeric(10,2)`. */
  type: string
  /** The type without length in lower case; `enum` for an enumeration, the element type for an array. */
  base: string
  length: number
  decimals: number
  isRequired: boolean
  isList: boolean
  isUnsigned: boolean
  isKey: boolean
  /** Whether the database fills it: a sequence or a generated column. */
  isMade: boolean
  /** The default if it is a constant, else ''. */
  value: string
  comment: string
  /** Values of an enumeration. */
  values: string[]
  /** The table its foreign key refers to, if the key has only this column; else ''. */
  refTable: string
  /** Names of the unique indexes that contain it. */
  uniques: string[]
}

export type ForeignTable = { name: string; comment: string; columns: ForeignColumn[] }

/** A dictionary entry proposed by a column's comment or enumeration. */
export type ProposedDictionaryEntry = { key: string; zh: string; en: string }

const words = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** Converts a column name to camelCase: `shelf_no` becomes `shelfNo`. '' when no character can be used in a name. */
export function toCamelCase(name: string): string {
  const [first = '', ...rest] = words(name)
  const joined = first + rest.map(capital).join('')
  return /^\d/.test(joined) ? `n${joined}` : joined
}

/** Converts a column name to an English label: `shelf_no` becomes `Shelf no`. */
export const toEnglishLabel = (name: string): string => capital(words(name).join(' ')) || 'Field'

/** Returns the class name older clients expect for a table: its name without the first word. */
export function legacyClassName(table: string): string {
  const [, ...rest] = words(table)
  return rest.length ? rest.map(capital).join('') : capital(toCamelCase(table))
}

const BREAK = /[:：(（[【,，;；。\n]/

/** Returns the label at the start of a column's comment, before its explanation or list of choices. */
export function labelFromComment(comment: string): string {
  const head = comment.split(BREAK)[0]!
  const isListing = parseChoicesFromComment(comment).length > 0
  return (isListing ? head.split(/\s(?=\d)/)[0]! : head).trim().slice(0, 40)
}

const NUMBERED =
  /(?:^|[\s,，;；、/|(（[【:：])(\d{1,4})\s*[-=:：.、]?\s*([\p{Script=Han}A-Za-z][^\s,，;；、/|)）\]】:：]*)/gu
const NAMED =
  /(?:^|[\s,，;；、/|(（[【:：])([A-Za-z]\w{0,19})\s*[-=]\s*([\p{Script=Han}A-Za-z][^\s,，;；、/|)）\]】:：]*)/gu

/**
 * Parses the choices a comment lists: `温层：1常温 2冷藏`, `state (a=active, b=blocked)`. Empty when it lists fewer than two.
 */
export function parseChoicesFromComment(comment: string): ProposedDictionaryEntry[] {
  for (const pattern of [NUMBERED, NAMED]) {
    const found = [...comment.matchAll(pattern)].map(([, key, word]) => ({ key: key!, word: word! }))
    const keys = new Set(found.map(({ key }) => key))
    if (found.length > 1 && keys.size === found.length)
      return found.map(({ key, word }) => ({ key, zh: word, en: /\p{Script=Han}/u.test(word) ? '' : capital(word) }))
  }
  return []
}

/** Columns every resource has by itself, under our names or usual ones elsewhere. Not generated. */
const MACHINERY = new Set(
  (
    'id tenant_id create_user create_dept create_time update_user update_time is_deleted version ' +
    'created_at updated_at deleted_at created_by updated_by deleted_by deleted creator updater gmt_create gmt_modified'
  ).split(' '),
)

export const isBookkeepingColumn = (name: string): boolean => MACHINERY.has(words(name).join('_'))
