import { isSecretFieldName } from '#kit/fields/base/secret-names.ts'
import {
  toCamelCase,
  parseChoicesFromComment,
  isBookkeepingColumn,
  labelFromComment,
  toEnglishLabel,
  type ProposedDictionaryEntry,
  type ForeignColumn,
} from './columns.ts'

/** Field kinds the generator supports; `none` leaves a column out. */
export type GeneratedFieldKind =
  | 'text'
  | 'longText'
  | 'number'
  | 'money'
  | 'percent'
  | 'boolean'
  | 'dict'
  | 'ref'
  | 'date'
  | 'datetime'
  | 'phone'
  | 'email'
  | 'url'
  | 'picture'
  | 'password'
  | 'json'
  | 'tags'
  | 'none'

/** One column of a model, as the generator reads it. */
export type ModelColumn = {
  jdbcName: string
  jdbcType: string
  propertyName: string
  propertyType: string
  comment: string
  labelZh: string
  labelEn: string
  /** Empty in rows of older clients: then derived from the other properties. */
  fieldKind: GeneratedFieldKind | ''
  isList: number
  isForm: number
  isRow: number
  isRequired: number
  isQuery: number
  queryType: string
  componentType: string
  dictCode: string
  options: ProposedDictionaryEntry[]
  refTable: string
  refTo: string
  columnLength: number
  columnScale: number
  defaultValue: string
  uniqueGroup: string
}

const emptyPart: ModelColumn = {
  jdbcName: '',
  jdbcType: 'varchar(255)',
  propertyName: '',
  propertyType: 'String',
  comment: '',
  labelZh: '',
  labelEn: '',
  fieldKind: 'text',
  isList: 1,
  isForm: 1,
  isRow: 0,
  isRequired: 0,
  isQuery: 0,
  queryType: 'like',
  componentType: 'input',
  dictCode: '',
  options: [],
  refTable: '',
  refTo: '',
  columnLength: 50,
  columnScale: 0,
  defaultValue: '',
  uniqueGroup: '',
}

/** Returns a model column with these properties and the defaults of a text field. */
export const createModelColumn = (given: Partial<ModelColumn>): ModelColumn => ({
  ...emptyPart,
  propertyName: toCamelCase(given.jdbcName ?? ''),
  ...given,
})

/** What the generator knows of the existing product. */
export type GeneratorCatalogue = {
  /** Resource name by table. */
  resources: ReadonlyMap<string, string>
  /** English text by Chinese text, from existing declarations. */
  words: ReadonlyMap<string, string>
}

const TEXTS =
  /^(char|character|varchar|character varying|nchar|nvarchar|bpchar|text|citext|name|uuid|inet|cidr|macaddr8?)$/
const LONG = /^(text|tinytext|mediumtext|longtext|citext|xml|tsvector)$/
const WHOLE = /^(tinyint|smallint|mediumint|int|integer|bigint|int2|int4|int8|smallserial|serial|bigserial|year|oid)$/
const BROKEN = /^(numeric|decimal|double|double precision|float|float4|float8|real|money)$/
/** Types that state no number of decimals but have some. */
const FLOATING = /^(double|double precision|float|float4|float8|real)$/
const BOUNDLESS = /^(numeric|decimal)$/
const DECIMALS = 4
const MOMENT = /^(datetime|timestamp|timestamptz|timestamp (with|without) time zone)$/
const BIG = /^(bigint|int8|bigserial)$/
/** Types no form field can hold: bytes, geometry, ranges. */
const NONE =
  /^(bytea|binary|varbinary|(tiny|medium|long)?blob|geometry|point|polygon|line|lseg|box|path|circle|\w*range)$/

const LONG_FROM = 500
const TEXT_MAX = 255

/** Returns the Java type by which older clients name a column's values. */
export function legacyPropertyTypeOf({ base, decimals, isList }: ForeignColumn): string {
  if (isList) return 'String'
  if (base === 'bool' || base === 'boolean' || base === 'bit') return 'Boolean'
  if (BIG.test(base)) return 'Long'
  if (WHOLE.test(base)) return 'Integer'
  if (BROKEN.test(base)) return decimals || /numeric|decimal|money/.test(base) ? 'BigDecimal' : 'Double'
  return MOMENT.test(base) || base === 'date' ? 'LocalDateTime' : 'String'
}

const decimalsOf = ({ base, type, decimals }: ForeignColumn): number =>
  !decimals && (FLOATING.test(base) || BOUNDLESS.test(type)) ? DECIMALS : decimals

const isYesNo = ({ base, type, length }: ForeignColumn): boolean =>
  base === 'bool' || base === 'boolean' || type.startsWith('tinyint(1)') || (base === 'bit' && length === 1)

const isAmount = (name: string): boolean => /(^|_)(price|amount|money|fee|cost|balance|fen)s?$/i.test(name)

/** Returns the field kind of a column: by its type, foreign key or choices, else by its name. */
function kindOfColumn(column: ForeignColumn, choices: readonly ProposedDictionaryEntry[]): GeneratedFieldKind {
  const { base, length } = column
  if (column.isList) return TEXTS.test(base) || LONG.test(base) || base === 'enum' ? 'tags' : 'json'
  const typed = kindOfType(column)
  if (typed) return typed
  if (column.refTable) return 'ref'
  if (choices.length && (WHOLE.test(base) || length <= 20)) return 'dict'
  return timeKind(column) ?? numberKind(column) ?? textKind(column)
}

/** Returns the field kind if the type alone decides it, else undefined. */
function kindOfType(column: ForeignColumn): GeneratedFieldKind | undefined {
  const { base } = column
  if (isYesNo(column)) return 'boolean'
  if (NONE.test(base)) return 'none'
  if (base === 'set') return 'tags'
  if (base === 'enum' || column.values.length) return 'dict'
  return /^(json|jsonb|hstore)$/.test(base) ? 'json' : undefined
}

function timeKind({ base }: ForeignColumn): GeneratedFieldKind | undefined {
  if (base === 'date') return 'date'
  return MOMENT.test(base) ? 'datetime' : undefined
}

function numberKind({ base, name, decimals }: ForeignColumn): GeneratedFieldKind | undefined {
  if (WHOLE.test(base)) return /(^|_)fen$/i.test(name) ? 'money' : 'number'
  if (!BROKEN.test(base)) return undefined
  if (base === 'money' || (isAmount(name) && decimals <= 2)) return 'money'
  return /(^|_)(rate|percent|ratio)$/i.test(name) && decimals <= 2 ? 'percent' : 'number'
}

function textKind({ base, name, length }: ForeignColumn): GeneratedFieldKind {
  if (isSecretFieldName(name)) return 'password'
  if (/(^|_)(phone|mobile|tel)(_?(no|number))?$/i.test(name)) return 'phone'
  if (/(^|_)e?mail$/i.test(name)) return 'email'
  if (/(^|_)(avatar|picture|photo|image|img|pic|logo|cover)(_?url)?$/i.test(name)) return 'picture'
  if (/(^|_)(url|link|website|homepage)$/i.test(name)) return 'url'
  return (LONG.test(base) && !length) || length >= LONG_FROM ? 'longText' : 'text'
}

/** Returns the choices of a column, in English where existing declarations translate them. */
function choicesOf(column: ForeignColumn, { words }: GeneratorCatalogue): ProposedDictionaryEntry[] {
  const commentChoices = parseChoicesFromComment(column.comment)
  const all = column.values.length
    ? column.values.map(
        (key) => commentChoices.find((one) => one.key === key) ?? { key, zh: key, en: toEnglishLabel(key) },
      )
    : commentChoices
  return all.map((one) => ({ ...one, en: words.get(one.zh) ?? one.en }))
}

/** Field kinds that take the full width of a form. */
const WIDE: ReadonlySet<GeneratedFieldKind> = new Set(['longText', 'json'])
/** Field kinds too long or too secret to show in a list. */
const UNLISTED: ReadonlySet<GeneratedFieldKind> = new Set([...WIDE, 'password', 'none'])
/** Field kinds that lists are not searched by. */
const UNSEARCHED: ReadonlySet<GeneratedFieldKind> = new Set([...UNLISTED, 'boolean', 'picture'])

const QUERY: Partial<Record<GeneratedFieldKind, string>> = { date: 'between', datetime: 'between', text: 'like' }
const COMPONENT: Partial<Record<GeneratedFieldKind, string>> = {
  longText: 'textarea',
  boolean: 'switch',
  dict: 'select',
  ref: 'select',
  date: 'date',
  datetime: 'date',
}
const LIST_FIRST = 8
const QUERY_FIRST = 4

/** Returns proposed model columns for a table; leaves out bookkeeping columns and generated keys. */
export function proposeModelColumns(columns: readonly ForeignColumn[], known: GeneratorCatalogue): ModelColumn[] {
  return columns
    .filter((column) => !isBookkeepingColumn(column.name) && !(column.isKey && column.isMade))
    .map((column, at) => partOf(column, at, known))
}

function partOf(column: ForeignColumn, at: number, known: GeneratorCatalogue): ModelColumn {
  const options = choicesOf(column, known)
  const make = kindOfColumn(column, options)
  const labelZh = labelFromComment(column.comment)
  return {
    jdbcName: column.name,
    jdbcType: column.type,
    propertyName: toCamelCase(column.name),
    propertyType: legacyPropertyTypeOf(column),
    comment: column.comment,
    labelZh,
    labelEn: known.words.get(labelZh) ?? '',
    fieldKind: make,
    isList: Number(at < LIST_FIRST && !UNLISTED.has(make)),
    isForm: Number(!column.isMade),
    isRow: Number(WIDE.has(make)),
    isRequired: Number(column.isRequired && !column.isMade && make !== 'boolean'),
    isQuery: Number(at < QUERY_FIRST && !UNSEARCHED.has(make)),
    queryType: QUERY[make] ?? 'equal',
    componentType: COMPONENT[make] ?? 'input',
    dictCode: '',
    options: make === 'dict' ? options : [],
    refTable: column.refTable,
    refTo: known.resources.get(column.refTable) ?? '',
    columnLength: make === 'text' ? Math.min(column.length || TEXT_MAX, LONG_FROM) : column.length,
    columnScale: decimalsOf(column),
    defaultValue: column.value,
    uniqueGroup: column.isKey ? '' : (column.uniques[0] ?? ''),
  }
}

/** Fills in the field kind and decimals of a column saved by an older client, derived from the properties it sends. */
export function completeLegacyColumn(part: ModelColumn): ModelColumn {
  if (part.fieldKind) return part
  const guessed = part.dictCode
    ? 'dict'
    : part.componentType === 'textarea'
      ? 'longText'
      : part.componentType === 'switch'
        ? 'boolean'
        : (BY_VALUE[part.propertyType] ?? 'text')
  const isBroken = guessed === 'number' && !part.columnScale && /^(Double|Float|BigDecimal)$/.test(part.propertyType)
  return { ...part, fieldKind: guessed, ...(isBroken && { columnScale: DECIMALS }) }
}

const BY_VALUE: Record<string, GeneratedFieldKind> = {
  Integer: 'number',
  Long: 'number',
  Double: 'number',
  Float: 'number',
  BigDecimal: 'number',
  Boolean: 'boolean',
  Date: 'datetime',
  LocalDateTime: 'datetime',
}
export const isBigIntegerType = (jdbcType: string): boolean =>
  BIG.test(jdbcType.toLowerCase().replace(/\(.*/, '').trim())
export const isIntegerType = (jdbcType: string): boolean =>
  WHOLE.test(jdbcType.toLowerCase().replace(/\(.*/, '').replace('unsigned', '').trim())
export const isUnsigned = (jdbcType: string): boolean => /unsigned/i.test(jdbcType)
