import type { RowDeclaration } from './row-declaration.ts'
import type { IconName } from '../base/icon-names.ts'
import type { Field, Fields, FieldValueOf } from '../fields/base/field-kind.ts'
import { isKnownReferenceField, isReferenceField, isTimeField } from '../fields/kinds.ts'
import { registerMaskedFieldName } from '../fields/base/masks.ts'
import type { RowCondition, FieldValueTest } from '../fields/base/condition.ts'
import { customColumnNameOf } from './custom-columns.ts'
import { isRowIdColumn, registerRowIdColumn } from './row-names.ts'
import type { PrintableDocument } from './printable-document.ts'
import type { Measure } from './measure.ts'
import type { ExtraPermission } from './dictionary.ts'
import type { LocalizedText } from '../base/localized-text.ts'
import type { ExactKeys } from './exact-keys.ts'
import { moveConditionOf, type StateMachine } from './states.ts'
import type { ResponseSchema } from './response-schema.ts'

/**
 * Who creates rows. Anything but `office` (people at a screen) makes the resource read-mostly: `submit` refuses to add
 * rows or to change fields that must not be edited by hand.
 */
export type RowOrigin = 'office' | 'device' | 'customer' | 'platform' | 'system'

/**
 * Whose rows a table holds. `tenant`: each tenant its own, kept apart by the database. `platform`: one set for all,
 * written by the platform only. `shared`: the platform's rows (tenant 000000) can be read by all, each tenant adds its
 * own.
 */
export type Tenancy = 'tenant' | 'platform' | 'shared'

export type Action<K extends string = string> = {
  /** `row` gets one row's id, `bulk` the ids of chosen rows, `toolbar` none. */
  on: 'row' | 'bulk' | 'toolbar'
  label: LocalizedText
  /** Question shown before the action runs; `{field}` placeholders are filled from the row. */
  confirm?: LocalizedText
  /**
   * Message shown on success; `{…}` placeholders are filled from the answer; for many rows its numbers are added up.
   */
  done?: LocalizedText
  input?: Fields
  /** Shape of the answer; without it the action answers nothing. */
  answer?: ResponseSchema
  enabled?: RowCondition<K>
  /** The declared move the action makes: it is offered in that move's `from` alone. The action's own name if absent. */
  move?: string
  /** Hides the button, instead of greying it out, where the action is not enabled: such a row never gets it back. */
  hideWhenDisabled?: boolean
  /**
   * Condition on the row as sent to this reader, which may differ from reader to reader; hides the button where it is
   * false. Only for display: the handler must refuse the others itself.
   */
  visibleWhen?: RowCondition<K>
  danger?: boolean
  icon?: IconName
  /** Last part of the wire path; the action's name if absent. `method` is POST if absent. */
  path?: string
  method?: 'GET' | 'POST'
  /**
   * With `on: 'row'`: also offered for many rows (chosen ones, or all that match a filter). Each row is handled on its
   * own, with a preview and a result for each.
   */
  bulk?: boolean
  /** `false`: does not lock the row, since the action changes nothing of it. */
  locks?: false
  /** With `bulk`: field the rows are handled in order of, so that two bulk runs lock in the same order. */
  order?: K
  /** Use another permission code than `<code>_<action>`, e.g. the resource's `edit`. */
  can?: 'add' | 'edit' | 'delete' | 'view' | 'list'
  /** Paths of other routes whose effect this action has: approvals those need are needed for this action too. */
  comesTo?: readonly string[]
}

export type BaseKey = 'id' | 'tenantId' | 'createUser' | 'createDept' | 'createTime' | 'updateUser' | 'updateTime'

/** Type check of declared actions: only known options, and conditions only on fields of this resource. */
type OnlyActions<A, K extends string, S> = {
  [N in keyof A]: ExactKeys<A[N], Action> &
    (A[N] extends { move: unknown } ? { move: MoveOf<S> } : unknown) &
    (A[N] extends { enabled: infer E }
      ? { enabled: ExactKeys<E, Record<K, unknown>> & { [T in keyof E]: ExactKeys<E[T], FieldValueTest> } }
      : unknown) &
    (A[N] extends { input: infer I } ? { input: OnlyFields<I> } : unknown)
}

/** Type check of declared fields: only known options, and only names of fields of this resource. */
type OnlyFields<F> = {
  [K in keyof F]: ExactKeys<F[K], Field> & { systemUpdated?: true | keyof F; same?: keyof F; by?: keyof F }
}

/** Actions of a resource with states, which say when they are possible. */
type WithMoves<A> = { [N in keyof A]: A[N] & Pick<Action, 'enabled' | 'move'> }

/** Names of the declared moves. */
type MoveOf<S> = S extends { moves: infer M } ? Extract<keyof M, string> : never

export type MenuPlace = {
  /** Code of the menu group above. */
  under: string
  /** Path of the page in the browser. */
  path: string
  icon?: IconName
  sort?: number
}

export type ResourceDefinition<
  F extends Fields,
  A extends Record<string, Action<Extract<keyof F, string>>>,
  S extends StateMachine<Extract<keyof F, string>, any, any> | undefined = any,
> = {
  name: string
  /** Wire base: `/api/shop/goodInfo`. */
  path: `/api/${string}`
  label: LocalizedText
  tenancy: Tenancy
  /** Prefix of its permission codes; the resource's name unless the wire contract needs another. */
  code?: string
  /** Table name; the name in snake_case if absent. Must be given where that is a reserved word. */
  table?: string
  writer?: RowOrigin
  /**
   * Fields by which restricted callers are limited: `{ shop: 'shopId' }` shows them only rows of their shops. Each key
   * is a limit that some module provides in `Caller.limits`.
   */
  scope?: Record<string, Extract<keyof F, string> | 'id' | 'createUser' | 'createDept'>
  menu?: MenuPlace | false
  fields: F & OnlyFields<F>
  /** States of the rows and the moves between them (`defineStates`). `db.update` then leaves the state alone. */
  states?: S
  /** Field that titles a row in pickers and links. `titleCode`: field shown after it. */
  title?: Extract<keyof F, string>
  titleCode?: Extract<keyof F, string>
  /** Field with the English title of rows the system names in both languages; English readers see it everywhere. */
  titleEn?: Extract<keyof F, string>
  /** A yes/no field: where it is true, its label replaces the row's title, which then is only an internal code. */
  titleFlag?: Extract<keyof F, string>
  list: {
    columns: readonly (Extract<keyof F, string> | BaseKey)[]
    /** Default order by a field; a `-` before it means descending. */
    sort?: `${'' | '-'}${Extract<keyof F, string> | BaseKey}`
    /**
     * Time field the list is filtered by (today, yesterday, a range): when what the row records happened. `false`: rows
     * are no events (goods, printers, tariffs). May be left out where `timeOf` can tell it.
     */
    time?: Extract<keyof F, string> | 'createTime' | false
    paged?: boolean
    /** Last part of the wire path when it is not `list`. */ path?: string
    /** Fields that are changed in their cell. */
    inline?: readonly Extract<keyof F, string>[]
    /** Fields that are set for many rows at once. */
    bulk?: readonly Extract<keyof F, string>[]
  }
  /** How a row reads in two lines where rows are listed on a phone, found or chosen; derived where absent. */
  row?: RowDeclaration<Extract<keyof F, string> | BaseKey, Extract<keyof NoInfer<A>, string>>
  /**
   * Turns standard buttons on or off that otherwise follow from the declaration. Every list can be exported to Excel;
   * rows that people write can be imported.
   */
  buttons?: { add?: boolean; edit?: boolean; delete?: boolean; view?: boolean; export?: boolean; import?: boolean }
  actions?: A & OnlyActions<A, Extract<keyof F, string>, S>
  /** Last part of the path that adds a row; `submit` then only changes one. Without it `submit` does both. */
  createPath?: string
  /** Sets of fields no two live rows (of one tenant) may share. */
  unique?: readonly (readonly Extract<keyof F, string>[])[]
  /**
   * Sets of fields no two live rows of the whole installation may share. Only for rows no person writes: otherwise the
   * refusal would reveal another tenant's row, and a tenant could block a number that belongs to another.
   */
  uniqueEverywhere?: readonly (readonly Extract<keyof F, string>[])[]
  /** Fields by which rows are found before the tenant is known (a device's number at sign-in); each gets an index. */
  foundEverywhere?: readonly Extract<keyof F, string>[]
  /** Large: millions of rows in one tenant. Every field its list can be filtered or sorted by gets an index. */
  indexedList?: boolean
  /** More indexes; each list of fields is prefixed by the tenant. */
  indexes?: readonly (readonly (Extract<keyof F, string> | BaseKey)[])[]
  remove?: 'soft' | 'hard' | false
  /**
   * `false`: removed rows cannot be restored, since other data went with them. Otherwise softly removed rows go to the
   * recycle bin.
   */
  restore?: false
  /** `false`: keeps no change history, as the rows are a log themselves or nobody needs it. */
  history?: false
  /** Rows are only ever inserted; the application's database role gets no UPDATE or DELETE on the table. */
  appendOnly?: boolean
  /**
   * Minimum age in days before the nightly cleanup (`RetentionRule`) may delete a row; the database refuses to delete
   * younger ones.
   */
  retentionDays?: number
  /** Grows without end: the table is partitioned by month or quarter of the id (`Table.partitioned`). */
  partitioned?: 'month' | 'quarter'
  /** Extra permission buttons that routes of the module need: `{ setting: { zh, en } }`. */
  permissions?: Record<string, ExtraPermission>
  /** Figures that reports may count, sum or average. Without any, the resource has no reports. */
  measures?: Record<string, Measure<Extract<keyof F, string>>>
  /** Fields that reports may group by; all references, choices and times if absent (`dimensionsOf`). */
  dimensions?: readonly (Extract<keyof F, string> | 'createTime')[]
  /** Documents printed of a row, by kind of document. A kind is unique in the whole product. */
  documents?: Record<string, PrintableDocument<Extract<keyof F, string>>>
  /** `false`: tenants cannot add custom fields, since the list, form or saving of this resource is not the kit's. */
  ownFields?: false
}

export type Resource<
  F extends Fields = Fields,
  A extends Record<string, Action> = Record<string, Action>,
  S extends StateMachine<string, any, any> | undefined = any,
> = {
  name: string
  path: `/api/${string}`
  label: LocalizedText
  tenancy: Tenancy
  code: string
  table: string
  writer: RowOrigin
  scope: Record<string, string>
  menu: MenuPlace | false
  fields: F
  states: S
  title: string
  titleCode?: string
  titleEn?: string
  titleFlag?: string
  list: {
    columns: readonly string[]
    sort: string
    /** Undefined where it neither is declared nor can be derived; a test forbids that for resources of the product. */
    time: string | false | undefined
    paged: boolean
    path: string
    inline: readonly string[]
    bulk: readonly string[]
  }
  row?: RowDeclaration
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
  /** Whether tenants may add custom fields. */
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

/** Values a handler may write: any of the declared fields. */
export type PatchOf<R> = R extends { fields: infer F }
  ? Partial<{ -readonly [K in keyof F]: FieldValueOf<F[K]> }>
  : never

/** Values `update` may write: all but the state, which only moves change (`transition`). */
export type UpdateOf<R> = PatchOf<R> & WithoutState<R>
type WithoutState<R> = R extends { states: { field: infer K extends string } }
  ? string extends K
    ? unknown
    : { [P in K]?: never }
  : unknown

/** Values of a new row: all required fields, and any of the others. */
export type NewRowOf<R> = PatchOf<R> &
  (R extends { fields: infer F }
    ? { -readonly [K in keyof F as null extends FieldValueOf<F[K]> ? never : K]: FieldValueOf<F[K]> }
    : never)

const snakes = new Map<string, string>()
/** Returns the SQL name (snake_case) of a declared resource or field name. */
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

/** Whether no table may have this name: it is a keyword of SQL, or too ambiguous. */
export const isReservedTableName = (table: string): boolean => RESERVED.has(table)

/** Declares a resource. Table, routes, list, form and permissions are derived from it (docs/architecture.md). */
export function defineResource<
  const F extends Fields,
  const A extends Record<string, Action<Extract<keyof F, string>>> = Record<never, never>,
  const S extends StateMachine<Extract<keyof F, string>, any, any> | undefined = undefined,
>(input: ResourceDefinition<F, A, S>): Resource<F, S extends undefined ? A : WithMoves<A>, S> {
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
    states: input.states as S,
    actions: actionsOf(input) as S extends undefined ? A : WithMoves<A>,
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

/** How rows are removed by default: softly if people write them, not at all if they are recorded. */
const removalOf = (input: Pick<AnyInput, 'writer' | 'remove' | 'appendOnly'>): Resource['remove'] =>
  input.remove ?? (input.appendOnly || writerOf(input) !== 'office' ? false : 'soft')

/** Returns the title field. Refuses a masked one: titles are joined in SQL, which applies no mask. */
function titleIn({ name, fields, title = Object.keys(fields)[0]! }: Pick<AnyInput, 'name' | 'fields' | 'title'>) {
  if (fields[title]?.mask) throw new Error(`${name}: "${title}" is masked and cannot be the title`)
  return title
}

/** Registers field names globally, so that logs mask masked fields and recognise ids of rows by name. */
function noteNames(fields: Fields): void {
  for (const [key, field] of Object.entries(fields)) {
    if (field.mask) registerMaskedFieldName(key, field.mask)
    if (isKnownReferenceField(field) && !isRowIdColumn(key))
      for (const name of [key, toSqlName(key)]) registerRowIdColumn(name)
  }
}

/** Returns the actions; those that make a declared move are enabled in its `from` alone. */
function actionsOf({
  name,
  fields,
  actions = {},
  states,
}: Pick<AnyInput, 'name' | 'fields' | 'actions' | 'states'>): Record<string, Action> {
  if (!states) return actions
  for (const { ids, user } of states.tells ?? [])
    for (const key of [ids, user])
      if (key && key !== 'id' && !fields[key]) throw new Error(`${name}: "${key}" of a topic is no field`)
  return Object.fromEntries(
    Object.entries(actions as Record<string, Action>).map(([key, action]) => {
      const move = action.move ?? key
      if (action.on === 'toolbar' || !states.moves[move]) return [key, action]
      if (action.enabled?.[states.field])
        throw new Error(`${name}.${key}: the states say when "${move}" is possible, "enabled" does not`)
      return [key, { ...action, move, enabled: { ...moveConditionOf(states, move), ...action.enabled } }]
    }),
  )
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

/** Unique sets and indexes of the resource, with defaults. */
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

/** How long rows and their history are kept, with defaults. */
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
 * Returns the time field of the list: the declared one, else the time field it is sorted by. `false` for a list that is
 * not paged or is sorted by something else. Append-only rows without a time field use their creation time; undefined if
 * none of these applies.
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

/**
 * Makes the fields of `scope` required for callers limited by them: they must say which of their shops (…) a new row
 * belongs to.
 */
function withLimits<F extends Fields>(fields: F, scope: Record<string, string> = {}): F {
  const limited = Object.entries(scope).flatMap(([limit, key]) =>
    fields[key] ? [[key, { ...fields[key], requiredOf: limit }]] : [],
  )
  return limited.length ? { ...fields, ...Object.fromEntries(limited) } : fields
}

/** Whether tenants may add custom fields: only to tenant rows that people write on a page of their own. */
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
 * Returns the key under which the label of a reference or dictionary value is sent beside the value: categoryName,
 * shopName (wire contract §24.24).
 */
export function valueLabelKeyOf(key: string, field: Field): string {
  return field.labelKey ?? `${isReferenceField(field) ? key.replace(/Ids?$/, '') : key}Name`
}
