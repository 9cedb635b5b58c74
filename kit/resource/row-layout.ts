import type { Field } from '../fields/base/field-kind.ts'
import { fieldKindOf, isReferenceField, isTimeField, isWriteOnlyField } from '../fields/kinds.ts'
import { baseFields, type BaseKey, type Resource } from './define-resource.ts'
import type { RowDeclaration, RowWarning } from './row-declaration.ts'

/** The resolved layout: every part is a field of the resource, or absent. */
export type RowLayout = {
  title: readonly string[]
  sub: readonly string[]
  /** Number of which the last six characters end the second line. */
  number?: string
  amount?: { key: string; from?: string; isSigned?: true }
  state?: string
  calm: readonly string[]
  time: string | false
  picture?: string
  below?: string
  warn: Readonly<Record<string, RowWarning>>
  late?: string
  swipe: readonly string[]
  act: readonly string[]
  group: string | false
}

type AnyResource = Resource<any, any>

/** Most fields a derived second line has. */
const SUB_FIELDS = 2

/** Units of things that are counted; other numbers (milliseconds, bytes, volts, scores) are no amount of a row. */
const COUNTED_UNITS = new Set(['件', '张', '度', '个', '份', '次', '单', '瓶'])

/** Names of numbers, codes and addresses, which say nothing to a reader as the title of a row. */
const CODE_NAME = /(?:^|[a-z])(?:No|Number|Code|Id|Ids|Key|Sn|Upc|Mac|Ip|Hash|Md5|Url|Uri|Path|Digest|Token|Mchid)$/
const CODE_NAMES = new Set(['upc', 'sn', 'code', 'key', 'url', 'ip', 'openid', 'unionid', 'digest', 'path', 'sort'])
/** Names of fields about machines and access, which lists on a phone leave out. */
const TECHNICAL_NAME =
  /endpoint|host|url|ip$|token|secret|key$|password|digest|hash|agent|version|scope|remark|json|tenantId|sort|rank/i

const layouts = new WeakMap<AnyResource, RowLayout>()

/** Returns the layout of a resource's rows: the declared parts, the others derived from fields and list columns. */
export function rowLayoutOf(resource: AnyResource): RowLayout {
  const known = layouts.get(resource)
  if (known) return known
  const layout = resolve(resource, resource.row ?? {})
  layouts.set(resource, layout)
  return layout
}

/** Returns a field of a resource, also one that every resource has. */
export const rowFieldOf = (resource: { fields: Record<string, Field> }, key: string): Field | undefined =>
  resource.fields[key] ?? baseFields[key as BaseKey]

/** Returns whether a field holds a number, code or address, not words. */
export function isCodeField(key: string, field: Field): boolean {
  if (isReferenceField(field)) return false
  return field.search === 'part' || !!field.digits || CODE_NAMES.has(key) || CODE_NAME.test(key)
}

function resolve(resource: AnyResource, row: RowDeclaration): RowLayout {
  const title = titleOf(resource, row)
  const state = row.state === false ? undefined : (row.state ?? stateOf(resource))
  const amount = amountOf(resource, row)
  const time = row.time ?? (resource.list.time || false)
  const taken = new Set([...title, state, amount?.key, amount?.from, time].map(String))
  const { sub, number } = row.sub ? subDeclared(row.sub) : subOf(resource, title, taken)
  return {
    title,
    sub,
    number,
    amount,
    state,
    calm: row.calm ?? [],
    time,
    picture: row.picture === false ? undefined : (row.picture ?? pictureOf(resource)),
    below: row.below,
    warn: (row.warn ?? {}) as RowLayout['warn'],
    late: row.late,
    swipe: row.swipe ?? [],
    act: [row.act ?? []].flat(),
    group: row.group ?? groupOf(resource, time),
  }
}

const columnFields = (resource: AnyResource): [string, Field][] =>
  resource.list.columns.flatMap((key) => {
    const field = rowFieldOf(resource, key)
    return field && !isWriteOnlyField(field) ? [[key, field] as [string, Field]] : []
  })

/** Whether a field holds words a person wrote or the name of another row. */
function isWords(key: string, field: Field): boolean {
  if (isCodeField(key, field) || isTimeField(field)) return false
  const { choices, readsAs, document, onPaper } = fieldKindOf(field)
  if (choices === 'rows') return true
  return choices === undefined && (readsAs ?? 'text') === 'text' && document === undefined && onPaper === undefined
}

const limitFieldsOf = ({ scope }: AnyResource): ReadonlySet<string> => new Set(Object.values(scope))

function titleOf(resource: AnyResource, { title }: RowDeclaration): readonly string[] {
  if (title !== undefined) return typeof title === 'string' ? [title] : title
  const own = resource.fields[resource.title] as Field | undefined
  if (own && isWords(resource.title, own)) return [resource.title]
  if (resource.fields.summary) return ['summary']
  const limits = limitFieldsOf(resource)
  const columns = columnFields(resource).filter(([key]) => key in resource.fields)
  const found =
    columns.find(([key, field]) => isReferenceField(field) && !limits.has(key)) ??
    columns.find(([key, field]) => isWords(key, field) && !isReferenceField(field))
  return [found?.[0] ?? resource.title]
}

/** The first choice named status or state, else the first choice of one entry among the columns. */
function stateOf(resource: AnyResource): string | undefined {
  const choices = columnFields(resource).filter(
    ([, field]) => fieldKindOf(field).choices === 'dictionary' && !fieldKindOf(field).many,
  )
  const named =
    choices.find(([key]) => /^(?:status|state)$/.test(key)) ?? choices.find(([key]) => /stat(?:e|us)$/i.test(key))
  return (named ?? choices[0])?.[0]
}

const isCounted = ({ unit }: Field): boolean => !!unit && COUNTED_UNITS.has(unit.zh)

function amountOf(resource: AnyResource, { amount }: RowDeclaration): RowLayout['amount'] {
  if (amount === false) return undefined
  if (typeof amount === 'string')
    return amount.startsWith('+') ? { key: amount.slice(1), isSigned: true } : { key: amount }
  if (amount) return { from: amount[0], key: amount[1] }
  const columns = columnFields(resource)
  const found =
    columns.find(([, field]) => fieldKindOf(field).currency) ??
    columns.find(([, field]) => fieldKindOf(field).readsAs === 'number' && isCounted(field))
  return found && { key: found[0] }
}

function subDeclared(sub: readonly string[]): Pick<RowLayout, 'sub' | 'number'> {
  const number = sub.find((key) => key.startsWith('…'))
  return { sub: sub.filter((key) => key !== number), ...(number && { number: number.slice(1) }) }
}

/** Up to two columns that say more of the row, references first, then the number its title would have been. */
function subOf(resource: AnyResource, title: readonly string[], taken: ReadonlySet<string>) {
  const limits = limitFieldsOf(resource)
  const offered = columnFields(resource).filter(([key, field]) => !taken.has(key) && isSub(key, field))
  const rank = ([key, field]: [string, Field]) => (limits.has(key) ? 0 : isReferenceField(field) ? 1 : 2)
  const sub = offered
    .toSorted((one, other) => rank(one) - rank(other))
    .slice(0, SUB_FIELDS)
    .map(([key]) => key)
  const own = resource.fields[resource.title] as Field | undefined
  const hasNumber = own && !title.includes(resource.title) && isCodeField(resource.title, own)
  return { sub, ...(hasNumber && { number: resource.title }) }
}

/** Whether a column may stand in a derived second line: words, references, choices, or a number with its unit. */
function isSub(key: string, field: Field): boolean {
  if (key in baseFields && key !== 'createUser') return false
  if (TECHNICAL_NAME.test(key) || isCodeField(key, field)) return false
  const { choices, readsAs, currency, document, onPaper } = fieldKindOf(field)
  if (currency || document || onPaper !== undefined || choices === 'yesNo' || isTimeField(field)) return false
  return readsAs === 'number' ? !!field.unit && isCounted(field) : true
}

function pictureOf(resource: AnyResource): string | undefined {
  return columnFields(resource).find(
    ([, field]) => !field.mask && !fieldKindOf(field).many && fieldKindOf(field).onPaper === 'pictures',
  )?.[0]
}

/** Rows that are listed by their time, newest first, have a heading for each day. */
const groupOf = ({ list }: AnyResource, time: string | false): string | false =>
  time && list.paged && list.sort === `-${time}` ? 'day' : false

/** Returns the time field by whose days a list has headings; undefined if it has none. */
export function dayFieldOf(resource: AnyResource): string | undefined {
  const { group, time } = rowLayoutOf(resource)
  if (group !== 'day') return undefined
  const sort = resource.list.sort.replace(/^-/, '')
  const field = rowFieldOf(resource, sort)
  return field && isTimeField(field) ? sort : time || undefined
}
