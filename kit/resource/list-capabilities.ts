import type { Field } from '../fields/field-kind.ts'
import { isReferenceField, fieldKindOf } from '../fields/kinds.ts'
import { isPersonalField } from '../fields/masks.ts'
import type { Resource } from './define-resource.ts'

/** Longer texts do not fit into an index for certain. */
const INDEXED_TEXT_MAX = 600

/** Compared as a whole, or by how it begins: what an ordered index answers. */
const WHOLE = new Set(['eq', 'in', 'range', 'likeright', 'part'])
const isAsked = (field: Field): boolean => (isReferenceField(field) ? !!field.search : WHOLE.has(field.search ?? ''))

/** Whether a column of this kind can lie in an ordered index, whatever is written into it. */
function fitsIndex(field: Field): boolean {
  const { many, document, readsAs } = fieldKindOf(field)
  return !many && !document && (readsAs !== 'text' || (field.max ?? 0) <= INDEXED_TEXT_MAX)
}

/** A text one cannot ask for as a whole: an index over it would be as large as the text, for an order nobody reads. */
const isUnrestricted = (field: Field): boolean =>
  fieldKindOf(field).readsAs === 'text' && !fieldKindOf(field).choices && !isAsked(field)

/**
 * Whether a list offers to be sorted by a field. A big one by what it shows or asks for, and never by free text; who
 * asks for another order all the same gets it, only not at once.
 */
export function canSort(resource: Resource<any, any>, key: string, field: Field): boolean {
  if (field.sortable === false || field.asked === false || field.computed || !fieldKindOf(field).sortable) return false
  // An order tells what nobody is shown.
  if (isPersonalField(field)) return false
  if (!resource.indexedList) return true
  const isShown = resource.list.columns.includes(key) || isAsked(field)
  return isShown && fitsIndex(field) && !isUnrestricted(field) && !field.mask
}

/** So many rows are alike in it that the list's own order has to lie behind it in its index. */
const isDenseValue = (field: Field): boolean => {
  const { readsAs = 'number', choices } = fieldKindOf(field)
  return choices !== 'rows' && (readsAs === 'number' || !!choices)
}

/** The fields a big list offers to filter or to sort by: each wants an index. */
export const filterOrSortFields = (resource: Resource<any, any>): { key: string; isCrowded: boolean }[] =>
  Object.entries<Field>(resource.fields).flatMap(([key, field]) =>
    !field.computed && fitsIndex(field) && (isAsked(field) || canSort(resource, key, field))
      ? [{ key, isCrowded: isDenseValue(field) }]
      : [],
  )

const ownOrder = (resource: Resource<any, any>): string => resource.list.sort.replace(/^-/, '')

/**
 * Fields of a big family's list that want an index of their own: the field, then the list's order, all upwards, so that
 * it is read in either direction. Where few rows are alike, any index that begins with the field will do.
 */
export function fieldsNeedingIndex(resource: Resource<any, any>): string[] {
  if (!resource.indexedList) return []
  const begun = new Set<string | undefined>([ownOrder(resource)])
  for (const keys of [...resource.indexes, ...resource.unique]) begun.add(keys[0])
  for (const key of Object.values(resource.scope)) begun.add(key)
  const isFound = (key: string) => begun.has(key) || resource.fields[key].search === 'part'
  return filterOrSortFields(resource).flatMap(({ key, isCrowded }) => (isCrowded || !isFound(key) ? [key] : []))
}

const inOrder = new WeakMap<object, ReadonlySet<string>>()
/** Fields of whose equal rows an index has the list's own order. */
export function fieldsIndexedInListOrder(resource: Resource<any, any>): ReadonlySet<string> {
  let known = inOrder.get(resource)
  if (!known) {
    const declared = resource.indexes.filter((keys) => keys[1] === ownOrder(resource)).map(([key]) => key!)
    known = new Set([...fieldsNeedingIndex(resource), ...Object.values(resource.scope), ...declared])
    inOrder.set(resource, known)
  }
  return known
}
