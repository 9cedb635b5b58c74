import { baseFields, isReservedTableName, toSqlName } from '#kit/resource/define-resource.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { toCamelCase, toEnglishLabel, type ProposedDictionaryEntry } from './columns.ts'
import {
  isBigIntegerType,
  isUnsigned,
  isIntegerType,
  completeLegacyColumn,
  type ModelColumn,
  type GeneratedFieldKind,
} from './part.ts'

/** Input of the generator: a model, its columns, and the choices of the generator entry. */
export type ResourceDesign = {
  name: string
  /** Short name used in API paths and table names: `goods`. */
  service: string
  /** Module folder below `domains/`: `catalogue/products`. */
  module: string
  path: string
  page: string
  under: string
  icon: string
  table: string
  label: LocalizedText
  intro: LocalizedText | undefined
  tenancy: 'tenant' | 'shared' | 'platform'
  parts: readonly ModelColumn[]
  /** Column that refers to the parent row when rows form a tree; else ''. */
  treeColumn: string
  /** Column that refers to the head when these are line items, and the head's resource name. */
  head: { column: string; family: string } | undefined
  withPage: boolean
  withServer: boolean
}

export type LiteralValue = string | number | boolean | LiteralValue[] | { [key: string]: LiteralValue }
/** A field as data: its builder `f.<make>`, the resource or dictionary it refers to (`of`), its options. */
export type GeneratedField = { make: string; of?: string; options: { [key: string]: LiteralValue } }
export type GeneratedDictionary = {
  variable: string
  code: string
  label: LocalizedText
  entries: ProposedDictionaryEntry[]
}
/** A warning about fields a developer should check before using the files. */
type Note = { code: NoteCode; keys: string[] }

export const generationNoteTexts = {
  english: {
    zh: '英文名称按列名推测，请核对：{keys}',
    en: 'English names were guessed from column names. Check them: {keys}',
  },
  choices: {
    zh: '字典项的英文请补充：{keys}',
    en: 'Add the English names of the dictionary entries: {keys}',
  },
  amounts: {
    zh: '按名称识别为金额（以分保存），请核对：{keys}',
    en: 'Recognized as amounts by name (stored in cents). Check them: {keys}',
  },
  unknown: {
    zh: '外键指向的表没有对应的业务，暂按编号文本处理：{keys}',
    en: 'Foreign keys to tables without a matching entity are treated as plain IDs for now: {keys}',
  },
  left: {
    zh: '无法放进表单的列已略过：{keys}',
    en: 'Columns that cannot be shown in a form were skipped: {keys}',
  },
  taken: {
    zh: '与每个业务自带的字段同名，已略过：{keys}',
    en: 'Skipped because every entity already has a field of this name: {keys}',
  },
  secret: {
    zh: '按名称识别为密码，只写不读：{keys}',
    en: 'Recognized as passwords by name, write-only: {keys}',
  },
} satisfies Record<string, LocalizedText>
type NoteCode = keyof typeof generationNoteTexts

export type GeneratedDeclaration = {
  name: string
  path: string
  label: LocalizedText
  tenancy: string
  table?: string
  scope?: { [key: string]: string }
  menu: { [key: string]: LiteralValue }
  title: string
  fields: Record<string, GeneratedField>
  list: { columns: string[]; time: string | false; paged?: boolean }
  unique: string[][]
}
export type DeclarationResult = {
  declaration: GeneratedDeclaration
  dictionaries: GeneratedDictionary[]
  notes: Note[]
}

const LISTED_MAX = 10
const SHOPS = 'basicShopInfo'

/**
 * Returns the resource declaration of a design as data, from which both the file and the preview are made, with its
 * warnings.
 */
export function createResourceDeclaration(design: ResourceDesign): DeclarationResult {
  const found: Record<NoteCode, string[]> = {
    english: [],
    choices: [],
    amounts: [],
    unknown: [],
    left: [],
    taken: [],
    secret: [],
  }

  const fields: Record<string, GeneratedField> = {}
  const dictionaries: GeneratedDictionary[] = []
  const shown: string[] = []
  const sets = new Map<string, string[]>()

  for (const given of design.parts) {
    const part = completeLegacyColumn(given)
    const made = fieldOf(part, design, found)
    if (!made) continue
    const { key, field, dictionary } = made
    if (key in fields) continue
    fields[key] = field
    if (dictionary) dictionaries.push(dictionary)
    if (Number(part.isList) === 1 && shown.length < LISTED_MAX) shown.push(key)
    if (part.uniqueGroup) sets.set(part.uniqueGroup, [...(sets.get(part.uniqueGroup) ?? []), key])
  }

  if (!Object.keys(fields).length) fields.name = plainName()
  const title = titleOf(fields, shown)

  return {
    declaration: {
      name: design.name,
      path: design.path,
      label: design.label,
      tenancy: design.tenancy,
      ...tableOf(design),
      ...scopeOf(fields),
      menu: menuOf(design),
      title,
      fields,
      list: {
        columns: [...(shown.length ? shown : [title]), 'createTime'],
        time: shown.find((key) => isSearchedTime(fields[key]!)) ?? false,
        ...(Object.values(fields).some(({ make }) => make === 'tree') && { paged: false }),
      },
      unique: [...sets.values()],
    },
    dictionaries,
    notes: Object.entries(found).flatMap(([code, keys]) => (keys.length ? [{ code: code as NoteCode, keys }] : [])),
  }
}

const plainName = (): GeneratedField => ({
  make: 'text',
  options: { label: { zh: '名称', en: 'Name' }, required: true, max: 50, search: 'like' },
})

const menuOf = ({ under, page, icon }: ResourceDesign): GeneratedDeclaration['menu'] => ({
  under,
  path: page,
  ...(icon && { icon }),
  sort: 90,
})

function tableOf({ name, table, service }: ResourceDesign): { table?: string } {
  const own = toSqlName(name)
  const given = isReservedTableName(table) ? '' : table
  if (given && given !== own) return { table: given }
  return isReservedTableName(own) ? { table: `${toSqlName(service)}_${own}` } : {}
}

/** Scopes the resource by its first reference to shops: callers limited to shops see only their rows. */
function scopeOf(fields: Record<string, GeneratedField>): { scope?: { shop: string } } {
  const shop = Object.entries(fields).find(([, { make, of }]) => make === 'ref' && of === SHOPS)
  return shop ? { scope: { shop: shop[0] } } : {}
}

/** Whether it is a date field that is searched by range. */
const isSearchedTime = ({ make, options }: GeneratedField): boolean =>
  (make === 'date' || make === 'datetime') && options.search === 'range'

const isTitle = ({ make }: GeneratedField): boolean => make === 'text'

function titleOf(fields: Record<string, GeneratedField>, shown: readonly string[]): string {
  const texts = Object.entries(fields).filter(([, field]) => isTitle(field))
  const named = texts.find(([key]) => /^(name|title)$|(Name|Title)$/.test(key))
  const first = texts.find(([key, { options }]) => options.required && shown.includes(key)) ?? texts[0]
  return (named ?? first)?.[0] ?? Object.keys(fields)[0]!
}

const isPlainKey = (key: string): boolean => /^[a-z][A-Za-z0-9]{0,48}$/.test(key)

type NotesByCode = Record<NoteCode, string[]>
type CommonOptions = { label: LocalizedText } & Options
type DeclaredField = { key: string; field: GeneratedField; dictionary?: GeneratedDictionary }

function fieldOf(part: ModelColumn, design: ResourceDesign, found: NotesByCode): DeclaredField | undefined {
  const proposed = proposedKey(part)
  if (!proposed) return undefined
  const { make, to } = kindAndTarget(part, design)
  const skipped = noteOfSkipped(proposed, make)
  if (skipped) {
    found[skipped].push(part.jdbcName || proposed)
    return undefined
  }
  const isLost = make === 'ref' && !to
  const leads = make === 'tree' || (make === 'ref' && !isLost)
  // A field that refers to no resource must not be named `…Id`.
  const key = leads ? proposed : proposed.replace(/Ids?$/, 'No')
  if (isLost || (key !== part.propertyName && /Ids?$/.test(part.propertyName))) found.unknown.push(key)
  const commonOptions = { label: labelOf(part, key, found), ...common(part, make) }
  if (leads) return { key, field: leadingField(make, to, part, commonOptions) }
  if (make === 'dict') return dictField(part, key, design, commonOptions, found)
  const note = NOTE_OF_KIND[make]
  if (note) found[note].push(key)
  const made = isLost ? unlinkedKind(part) : make
  return { key, field: { make: made, options: { ...commonOptions, ...optionsOf(made, part) } } }
}

/** Returns a field name from a column's names; '' when no character of them can be used in code. */
const proposedKey = ({ propertyName, jdbcName }: ModelColumn): string =>
  isPlainKey(propertyName) ? propertyName : toCamelCase(propertyName || jdbcName)

/**
 * Returns why a column is skipped: every resource has it already (`taken`), or no form can hold its type (`left`).
 * Undefined when it is not.
 */
function noteOfSkipped(key: string, make: GeneratedFieldKind | 'tree'): 'taken' | 'left' | undefined {
  if (key in baseFields || key === 'isDeleted') return 'taken'
  return make === 'none' ? 'left' : undefined
}

/** Warning per field kind that was guessed from the column's name. */
const NOTE_OF_KIND: Partial<Record<GeneratedFieldKind, NoteCode>> = { money: 'amounts', password: 'secret' }

/** Returns the kind for a foreign key whose table belongs to no resource. */
const unlinkedKind = ({ jdbcType }: ModelColumn): GeneratedFieldKind => (isIntegerType(jdbcType) ? 'number' : 'text')

/**
 * Returns the field kind of a column and the resource it refers to. The tree column and the head column take precedence
 * over what was chosen.
 */
function kindAndTarget(
  part: ModelColumn,
  { name, treeColumn, head }: ResourceDesign,
): { make: GeneratedFieldKind | 'tree'; to: string } {
  if (part.jdbcName !== '' && part.jdbcName === treeColumn) return { make: 'tree', to: name }
  if (head && part.jdbcName === head.column) return { make: 'ref', to: head.family }
  return { make: part.fieldKind as GeneratedFieldKind, to: part.refTo }
}

/** Returns a reference field: to the parent row of a tree, or to another resource. */
const leadingField = (
  make: 'ref' | 'tree',
  to: string,
  part: ModelColumn,
  commonOptions: CommonOptions,
): GeneratedField => ({
  make,
  of: to,
  options: make === 'tree' ? { label: commonOptions.label } : { ...commonOptions, ...searched(part, SAME) },
})

/** Returns a field's label. A missing English one is made from the column name, with a warning. */
function labelOf({ labelZh, labelEn, comment, jdbcName }: ModelColumn, key: string, found: NotesByCode): LocalizedText {
  const en = labelEn && !/\p{Script=Han}/u.test(labelEn) ? labelEn : ''
  if (!en) found.english.push(key)
  const zh = labelZh || comment.slice(0, 40).trim()
  return {
    zh: /[\p{Script=Han}A-Za-z0-9]/u.test(zh) ? zh : toEnglishLabel(jdbcName || key),
    en: en || toEnglishLabel(jdbcName || key),
  }
}

function common(part: ModelColumn, make: string): { [key: string]: LiteralValue } {
  const isShown = Number(part.isForm) !== 0
  return {
    ...(Number(part.isRequired) === 1 && isShown && make !== 'boolean' && { required: true }),
    ...(!isShown && { form: 'hidden' }),
    ...(Number(part.isRow) === 1 && make !== 'longText' && make !== 'json' && { wide: true }),
  }
}

/** Search operators by the name older clients use. */
const LIKE: Record<string, string> = {
  like: 'like',
  likeleft: 'likeleft',
  likeright: 'likeright',
  equal: 'eq',
  notequal: 'ne',
}
const ORDER: Record<string, string> = {
  gt: 'gt',
  ge: 'ge',
  lt: 'lt',
  le: 'le',
  between: 'range',
  equal: 'eq',
  notequal: 'ne',
}
const SAME: Record<string, string> = { equal: 'eq', notequal: 'ne' }

function searched(part: ModelColumn, operators: Record<string, string>): { search?: string } {
  if (Number(part.isQuery) !== 1) return {}
  return { search: operators[part.queryType] ?? Object.values(operators)[0]! }
}
const ordered = (part: ModelColumn): { search?: string } => {
  const { search } = searched(part, ORDER)
  return search ? { search: part.queryType in ORDER ? search : 'eq' } : {}
}

const DECIMALS_MAX = 8
const TEXT_MAX = 255
const isNumber = (text: string): boolean => /^-?\d{1,12}(\.\d{1,8})?$/.test(text)

type Options = { [key: string]: LiteralValue }

const textOptions = (part: ModelColumn): Options => ({
  max: Math.min(Number(part.columnLength) || TEXT_MAX, 500),
  ...searched(part, LIKE),
  ...(part.defaultValue && { default: part.defaultValue }),
})

function numberOptions(part: ModelColumn): Options {
  const { columnScale: scale, defaultValue: value, jdbcType } = part
  const decimals = Math.min(Number(scale) || 0, DECIMALS_MAX)
  return {
    ...(isUnsigned(jdbcType) && { min: 0 }),
    ...(decimals > 0 && { decimals }),
    ...(isBigIntegerType(jdbcType) && { big: true }),
    ...ordered(part),
    ...(isNumber(value) && { default: decimals ? value : Math.trunc(Number(value)) }),
  }
}

const amountOptions = (part: ModelColumn): Options => ({
  ...ordered(part),
  ...(isNumber(part.defaultValue) && { default: Number(part.defaultValue).toFixed(2) }),
})

const timeOptions = (part: ModelColumn): Options => (Number(part.isQuery) === 1 ? { search: 'range' } : {})

const booleanOptions = (part: ModelColumn): Options => ({
  ...searched(part, SAME),
  default: /^(true|1|t|yes|b'1')$/i.test(part.defaultValue),
})

const lineOptions = (part: ModelColumn): Options => searched(part, LIKE)

const OPTIONS: Partial<Record<GeneratedFieldKind | 'tree', (part: ModelColumn) => Options>> = {
  text: textOptions,
  longText: ({ columnLength }) => ({ max: Number(columnLength) || 4000, rows: 4 }),
  number: numberOptions,
  money: amountOptions,
  percent: amountOptions,
  date: timeOptions,
  datetime: timeOptions,
  boolean: booleanOptions,
  phone: lineOptions,
  email: lineOptions,
  url: lineOptions,
  picture: lineOptions,
}

/** Returns the options specific to a field kind. */
const optionsOf = (make: GeneratedFieldKind | 'tree', part: ModelColumn): Options => OPTIONS[make]?.(part) ?? {}

/** Returns a dictionary field and the new dictionary proposed by its comment or enumeration. */
function dictField(
  part: ModelColumn,
  key: string,
  design: ResourceDesign,
  commonOptions: CommonOptions,
  found: NotesByCode,
): DeclaredField {
  const code = /^\w{1,50}$/.test(part.dictCode) ? part.dictCode : `${toSqlName(design.name)}_${toSqlName(key)}`
  const numeric = isIntegerType(part.jdbcType)
  const has = part.options.some((one) => one.key === part.defaultValue)
  const field: GeneratedField = {
    make: 'dict',
    of: code,
    options: {
      ...commonOptions,
      ...(numeric && { numeric: true }),
      ...searched(part, SAME),
      ...(has && { default: numeric ? Number(part.defaultValue) : part.defaultValue }),
    },
  }
  if (!part.options.length) return { key, field }
  if (part.options.some(({ en }) => !en)) found.choices.push(key)
  const entries = part.options.map((one) => ({ ...one, zh: one.zh || one.key, en: one.en || `Option ${one.key}` }))
  return { key, field, dictionary: { variable: toCamelCase(code), code, label: commonOptions.label, entries } }
}
