import type { IconName } from './icon-names.ts'
import type { Field, Fields, FieldValueOf } from '../fields/field-kind.ts'
import { isKnownReferenceField, isReferenceField, isTimeField } from '../fields/kinds.ts'
import { registerMaskedFieldName } from '../fields/masks.ts'
import type { RowCondition, FieldValueTest } from '../fields/condition.ts'
import { customColumnNameOf } from './custom-fields.ts'
import { isRowIdColumn, registerRowIdColumn } from './row-names.ts'
import type { PrintableDocument } from './documents.ts'
import type { Measure } from './measures.ts'
import type { ExtraPermission } from './dictionary.ts'
import type { LocalizedText } from './localized-text.ts'

/**
 * Who creates rows. Anything but `office` makes the family read-mostly: `submit` refuses what must not be edited by
 * hand.
 */
export type RowOrigin = 'office' | 'device' | 'customer' | 'platform' | 'system'

/**
 * Whose rows a table holds. `tenant`: each tenant its own, kept apart by the database. `platform`: one set for all,
 * written by the platform only. `shared`: the platform's rows (tenant 000000) can be read by all, each tenant adds its
 * own.
 */
export type Tenancy = 'tenant' | 'platform' | 'shared'

/**
 * What `T` says beyond `S` may not be there. A type that is inferred from what was written takes whatever was written,
 * so that a misspelt option is one more property; this makes it an error where it stands.
 */
export type ExactKeys<T, S> = { [K in Exclude<keyof T, keyof S>]: never }

export type Action<K extends string = string> = {
  /** `row` gets one row's id, `bulk` the ids of chosen rows, `toolbar` none. */
  on: 'row' | 'bulk' | 'toolbar'
  label: LocalizedText
  /** Asked before it runs; `{field}` placeholders are filled from the row. */
  confirm?: LocalizedText
  /** Said when it is done; `{…}` placeholders are filled from the answer, of many rows with its numbers added up. */
  done?: LocalizedText
  input?: Fields
  enabled?: RowCondition<K>
  /** Not shown at all where it is not enabled: a row whose time for it is over never comes back to it. */
  hideWhenDisabled?: boolean
  /**
   * Which readers it is shown to, by what the server presents of the row to each. A browser's courtesy: the handler
   * refuses all others.
   */
  visibleWhen?: RowCondition<K>
  danger?: boolean
  icon?: IconName
  /** Last part of the wire path when it differs from the action's name; method POST unless said. */
  path?: string
  method?: 'GET' | 'POST'
  /**
   * With `on: 'row'`: also for many rows at once, each on its own (chosen ones, or all a filter finds), with a preview
   * and a result for each.
   */
  bulk?: boolean
  /** false: it changes nothing of its row, and nobody waits for it who does. */
  locks?: false
  /** With `bulk`: rows are done by what stands here, so that two who do it to many at once meet in one order. */
  order?: K
  /** Use another permission code than `<code>_<action>`, e.g. the resource's `edit`. */
  can?: 'add' | 'edit' | 'delete' | 'view' | 'list'
  /** Addresses of other calls that it comes to: who has to agree to those has to agree to this one. */
  comesTo?: readonly string[]
}

export type BaseKey = 'id' | 'tenantId' | 'createUser' | 'createDept' | 'createTime' | 'updateUser' | 'updateTime'

/** Actions as written: nothing that actions do not know, and conditions on fields of the row alone. */
type OnlyActions<A, K extends string> = {
  [N in keyof A]: ExactKeys<A[N], Action> &
    (A[N] extends { enabled: infer E }
      ? { enabled: ExactKeys<E, Record<K, unknown>> & { [T in keyof E]: ExactKeys<E[T], FieldValueTest> } }
      : unknown) &
    (A[N] extends { input: infer I } ? { input: OnlyFields<I> } : unknown)
}

/** Fields as written: made by the builders, and naming no field but their neighbours. */
type OnlyFields<F> = {
  [K in keyof F]: ExactKeys<F[K], Field> & { systemUpdated?: true | keyof F; same?: keyof F; by?: keyof F }
}

export type MenuPlace = {
  /** Code of the menu group above. */
  under: string
  /** Path of the page in the browser. */
  path: string
  icon?: IconName
  sort?: number
}

export type ResourceDefinition<F extends Fields, A extends Record<string, Action<Extract<keyof F, string>>>> = {
  name: string
  /** Wire base: `/api/shop/goodInfo`. */
  path: string
  label: LocalizedText
  tenancy: Tenancy
  /** Prefix of its permission codes; the name unless the wire contract wants another. */
  code?: string
  /** Table name; the name in snake_case unless it is a reserved word. */
  table?: string
  writer?: RowOrigin
  /** Which field limits a caller who is limited: `{ shop: 'shopId' }`. The key is a limit some module provides. */
  scope?: Record<string, Extract<keyof F, string> | 'id' | 'createUser' | 'createDept'>
  menu?: MenuPlace | false
  fields: F & OnlyFields<F>
  /** Field that titles a row in pickers and links; `code` second if given. */
  title?: Extract<keyof F, string>
  titleCode?: Extract<keyof F, string>
  /** Field with the title in English, where the system writes both: shown wherever English readers meet the row. */
  titleEn?: Extract<keyof F, string>
  /** A yes/no field whose label is what rows are called where it holds: their title is the system's mark. */
  titleFlag?: Extract<keyof F, string>
  list: {
    columns: readonly (Extract<keyof F, string> | BaseKey)[]
    /** A field, with `-` before it the other way round. */
    sort?: `${'' | '-'}${Extract<keyof F, string> | BaseKey}`
    /**
     * The time its rows are asked by (today, yesterday, days by hand): the field that says when what they tell of
     * happened, which people also ask by as a range. `false`: its rows are no happenings (goods, printers, tariffs).
     * Where it follows from the rest (`timeOf`) it need not be said.
     */
    time?: Extract<keyof F, string> | 'createTime' | false
    paged?: boolean
    /** Last part of the wire path when it is not `list`. */ path?: string
    /** Fields that are changed in their cell. */
    inline?: readonly Extract<keyof F, string>[]
    /** Fields that are set for many rows at once. */
    bulk?: readonly Extract<keyof F, string>[]
  }
  /**
   * Buttons besides the derived ones; `false` for a standard one takes it away. Every list is exported to Excel; what
   * people write, they may import.
   */
  buttons?: { add?: boolean; edit?: boolean; delete?: boolean; view?: boolean; export?: boolean; import?: boolean }
  actions?: A & OnlyActions<A, Extract<keyof F, string>>
  /** Last part of the path that adds a row; `submit` then only changes one. Without it `submit` does both. */
  createPath?: string
  /** Sets of fields no two live rows (of one tenant) may share. */
  unique?: readonly (readonly Extract<keyof F, string>[])[]
  /**
   * Sets of fields no two live rows of the whole installation may share. Only for what no person writes: the refusal
   * would tell that another tenant has such a row, and whoever wrote a number first would keep it from its owner.
   */
  uniqueEverywhere?: readonly (readonly Extract<keyof F, string>[])[]
  /** Fields rows are looked for by before their tenant is known: the number a device says when it signs in. */
  foundEverywhere?: readonly Extract<keyof F, string>[]
  /** Grows to millions of rows in one tenant: whatever its list offers to filter and to sort by has an index. */
  indexedList?: boolean
  /** More indexes; each list of fields is prefixed by the tenant. */
  indexes?: readonly (readonly (Extract<keyof F, string> | BaseKey)[])[]
  remove?: 'soft' | 'hard' | false
  /**
   * What was removed cannot come back: something went with it. Softly removed rows lie in the recycle bin otherwise.
   */
  restore?: false
  /** Changes are not kept field by field: the rows are a log themselves, or nobody's business. */
  history?: false
  /** Rows are only ever added; the database grants no more. */
  appendOnly?: boolean
  /**
   * Rows that grew old are removed by the clock, after the days a parameter says. So many days old a row must be: the
   * database removes no younger one, whoever asks.
   */
  retentionDays?: number
  /** Grows for ever: its table is cut into months by the ids (`Table.partitioned`). */
  partitioned?: 'month' | 'quarter'
  /** Extra permission buttons that routes of the module need: `{ setting: { zh, en } }`. */
  permissions?: Record<string, ExtraPermission>
  /** What reports may count, sum or average of its rows; without any no report is made of them. */
  measures?: Record<string, Measure<Extract<keyof F, string>>>
  /** Fields reports may tell rows apart by; references, choices and times unless said (`dimensionsOf`). */
  dimensions?: readonly (Extract<keyof F, string> | 'createTime')[]
  /** What is printed of a row, by its kind, which is one of the whole product. */
  documents?: Record<string, PrintableDocument<Extract<keyof F, string>>>
  /** false: tenants add no fields of their own, as its list, form or saving is none of the kit's. */
  ownFields?: false
}

export type Resource<F extends Fields = Fields, A extends Record<string, Action> = Record<string, Action>> = {
  name: string
  path: string
  label: LocalizedText
  tenancy: Tenancy
  code: string
  table: string
  writer: RowOrigin
  scope: Record<string, string>
  menu: MenuPlace | false
  fields: F
  title: string
  titleCode?: string
  titleEn?: string
  titleFlag?: string
  list: {
    columns: readonly string[]
    sort: string
    /** Undefined where it is neither said nor clear, which no family of the product may leave so. */
    time: string | false | undefined
    paged: boolean
    path: string
    inline: readonly string[]
    bulk: readonly string[]
  }
  buttons: { add: boolean; edit: boolean; delete: boolean; view: boolean; export: boolean; import: boolean }
  actions: A
  createPath?: string
  unique: readonly (readonly string[])[]
  uniqueEverywhere: readonly (readonly string[])[]
  foundEverywhere: readonly string[]
  indexedList: boolean
  indexes: readonly (readonly string[])[]
  remove: 'soft' | 'hard' | false
  restore: boolean
  history: boolean
  appendOnly: boolean
  retentionDays: number
  partitioned?: 'month' | 'quarter'
  permissions: Record<string, ExtraPermission>
  measures: Record<string, Measure>
  dimensions?: readonly string[]
  documents: Record<string, PrintableDocument>
  /** Whether a tenant may add fields of its own. */
  ownFields: boolean
}

export type BaseRow = {
  id: string
  tenantId: string
  createUser: string | null
  createDept: string | null
  createTime: string
  updateUser: string | null
  updateTime: string
  version: number
}

/** A row as handlers see it: ids as strings, money in cents, times as text, null when empty. */
export type RowOf<R> = R extends { fields: infer F }
  ? BaseRow & { -readonly [K in keyof F]: FieldValueOf<F[K]> }
  : never

/** What a handler may write: any of the declared fields. */
export type PatchOf<R> = R extends { fields: infer F }
  ? Partial<{ -readonly [K in keyof F]: FieldValueOf<F[K]> }>
  : never

/** What a new row is written from: any of the declared fields, and all that are required. */
export type NewRowOf<R> = PatchOf<R> &
  (R extends { fields: infer F }
    ? { -readonly [K in keyof F as null extends FieldValueOf<F[K]> ? never : K]: FieldValueOf<F[K]> }
    : never)

const snakes = new Map<string, string>()
/** The database's name of a declared one. */
export function toSqlName(name: string): string {
  let known = snakes.get(name)
  if (known === undefined) {
    known =
      customColumnNameOf(name) ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`).replace(/-/g, '_')
    snakes.set(name, known)
  }
  return known
}

const RESERVED = new Set([
  'user',
  'order',
  'group',
  'role',
  'table',
  'column',
  'event',
  'param',
  'client',
  'code',
  'model',
])

/** Whether no table may be called so, as the database reads the word otherwise or too many things have the name. */
export const isReservedTableName = (table: string): boolean => RESERVED.has(table)

/** Declares a resource family. Everything else is derived from it (docs/architecture.md). */
export function defineResource<
  const F extends Fields,
  const A extends Record<string, Action<Extract<keyof F, string>>> = Record<never, never>,
>(input: ResourceDefinition<F, A>): Resource<F, A> {
  const remove = removalOf(input)
  const table = tableFor(input)
  const title = titleIn(input)
  noteNames(input.fields)
  const buttons = buttonsOf(input, remove)
  return {
    ...input,
    fields: withLimits(input.fields, input.scope),
    code: input.code ?? input.name,
    table,
    writer: writerOf(input),
    scope: input.scope ?? {},
    menu: input.menu ?? false,
    title,
    list: listOf(input),
    buttons,
    actions: (input.actions ?? {}) as A,
    ...indexesIn(input),
    remove,
    ...keepingOf(input, remove),
    permissions: input.permissions ?? {},
    measures: input.measures ?? {},
    documents: input.documents ?? {},
    ownFields: input.ownFields !== false && takesOwnFields(input, buttons),
  }
}

type AnyInput = ResourceDefinition<Fields, any>

const writerOf = ({ writer = 'office' }: Pick<AnyInput, 'writer'>): RowOrigin => writer

/** What people write is removed softly unless it says otherwise, what is recorded not at all. */
const removalOf = (input: Pick<AnyInput, 'writer' | 'remove' | 'appendOnly'>): Resource['remove'] =>
  input.remove ?? (input.appendOnly || writerOf(input) !== 'office' ? false : 'soft')

/** The field that titles a row. Titles are joined by the database, where no mask is. */
function titleIn({ name, fields, title = Object.keys(fields)[0]! }: Pick<AnyInput, 'name' | 'fields' | 'title'>) {
  if (fields[title]?.mask) throw new Error(`${name}: "${title}" is masked and cannot be the title`)
  return title
}

/** Names that say elsewhere, as in logs, what stands there: something masked, or a row. */
function noteNames(fields: Fields): void {
  for (const [key, field] of Object.entries(fields)) {
    if (field.mask) registerMaskedFieldName(key, field.mask)
    if (isKnownReferenceField(field) && !isRowIdColumn(key))
      for (const name of [key, toSqlName(key)]) registerRowIdColumn(name)
  }
}

function buttonsOf(
  { buttons, appendOnly, writer }: Pick<AnyInput, 'buttons' | 'appendOnly' | 'writer'>,
  remove: Resource['remove'],
): Resource['buttons'] {
  const isOffice = writerOf({ writer }) === 'office'
  return {
    add: isOffice,
    edit: isOffice,
    delete: remove !== false,
    view: true,
    export: true,
    import: isOffice && !appendOnly && buttons?.add !== false,
    ...buttons,
  }
}

const listOf = (input: Pick<AnyInput, 'list' | 'fields' | 'appendOnly'>): Resource['list'] => ({
  columns: input.list.columns,
  sort: input.list.sort ?? '-createTime',
  time: timeOf(input),
  paged: input.list.paged ?? true,
  path: input.list.path ?? 'list',
  inline: input.list.inline ?? [],
  bulk: input.list.bulk ?? [],
})

/** What its rows are told apart and found by. */
const indexesIn = ({
  unique = [],
  uniqueEverywhere = [],
  foundEverywhere = [],
  indexedList = false,
  indexes = [],
}: Pick<AnyInput, 'unique' | 'uniqueEverywhere' | 'foundEverywhere' | 'indexedList' | 'indexes'>) => ({
  unique,
  uniqueEverywhere,
  foundEverywhere,
  indexedList,
  indexes,
})

/** How long rows and what they were are kept. */
const keepingOf = (
  {
    restore,
    history,
    appendOnly = false,
    retentionDays = 0,
  }: Pick<AnyInput, 'restore' | 'history' | 'appendOnly' | 'retentionDays'>,
  remove: Resource['remove'],
) => ({
  restore: remove === 'soft' && restore !== false,
  history: !appendOnly && history !== false,
  appendOnly,
  retentionDays,
})

/**
 * The time of a list: what it says, else the field of its own that it is ordered by. Without pages, or ordered by
 * something that is no time, it has none. Rows that are only ever added and have no other time have that of their
 * creation.
 */
function timeOf({ list, fields, appendOnly }: Pick<ResourceDefinition<Fields, any>, 'list' | 'fields' | 'appendOnly'>) {
  if (list.time !== undefined) return list.time
  const order = list.sort?.replace(/^-/, '')
  if (order && fields[order] && isTimeField(fields[order])) return order
  if (list.paged === false || (order && order !== 'createTime')) return false
  return appendOnly && !Object.values(fields).some(isTimeField) ? 'createTime' : undefined
}

function tableFor({ name, table = toSqlName(name) }: { name: string; table?: string }): string {
  if (isReservedTableName(table)) throw new Error(`${name}: "${table}" is a reserved word, give the table another name`)
  return table
}

/** Who is limited to some rows says which of them a new one belongs to. */
function withLimits<F extends Fields>(fields: F, scope: Record<string, string> = {}): F {
  const limited = Object.entries(scope).flatMap(([limit, key]) =>
    fields[key] ? [[key, { ...fields[key], requiredOf: limit }]] : [],
  )
  return limited.length ? { ...fields, ...Object.fromEntries(limited) } : fields
}

/** Rows of tenants that people write on a page of their own. */
const takesOwnFields = (
  {
    tenancy,
    menu,
    appendOnly,
    partitioned,
  }: Partial<Pick<Resource, 'tenancy' | 'menu' | 'appendOnly' | 'partitioned'>>,
  { add, edit }: { add: boolean; edit: boolean },
): boolean => tenancy === 'tenant' && !!menu && (add || edit) && !appendOnly && !partitioned

/** Labels of the columns every resource has. */
export const baseFields: Record<BaseKey | 'version', Field> = {
  id: { kind: 'ref', label: { zh: '编号', en: 'ID' }, to: '' },
  tenantId: { kind: 'text', label: { zh: '租户编号', en: 'Tenant' } },
  createUser: { kind: 'ref', label: { zh: '创建人', en: 'Created by' }, to: 'user' },
  createDept: { kind: 'ref', label: { zh: '创建部门', en: 'Created by department' }, to: 'dept' },
  createTime: { kind: 'datetime', label: { zh: '创建时间', en: 'Created' }, search: 'range' },
  updateUser: { kind: 'ref', label: { zh: '更新人', en: 'Updated by' }, to: 'user' },
  updateTime: { kind: 'datetime', label: { zh: '更新时间', en: 'Updated' } },
  version: { kind: 'number', label: { zh: '版本', en: 'Version' } },
}

export const permissionCodeOf = (resource: { code: string }, action: string) =>
  action === 'list' ? resource.code : `${resource.code}_${action}`

/**
 * Key under which a reference or dictionary field's words travel beside its value: categoryName, shopName (wire
 * contract §24.24).
 */
export function valueLabelKeyOf(key: string, field: Field): string {
  return field.labelKey ?? `${isReferenceField(field) ? key.replace(/Ids?$/, '') : key}Name`
}
