import type { Field } from '../fields/base/field-kind.ts'
import { isReferenceField, fieldKindOf } from '../fields/kinds.ts'
import { isPersonalField } from '../fields/base/masks.ts'
import type { Resource } from './define-resource.ts'

/** Longest text in characters that surely fits into an index entry. */
const INDEXED_TEXT_MAX = 600

/** Search operators an ordered (B-tree) index can answer: equality, ranges and prefixes. */
const WHOLE = new Set(['eq', 'in', 'range', 'likeright', 'part'])
const isSearched = (field: Field): boolean => (isReferenceField(field) ? !!field.search : WHOLE.has(field.search ?? ''))

/** Whether every value of this field fits into an ordered index. */
function fitsIndex(field: Field): boolean {
  const { many, document, readsAs } = fieldKindOf(field)
  return !many && !document && (readsAs !== 'text' || (field.max ?? 0) <= INDEXED_TEXT_MAX)
}

/**
 * Whether the field is free text nobody filters by. Large lists cannot be sorted by it, as its index would be as large
 * as the text.
 */
const isUnrestricted = (field: Field): boolean =>
  fieldKindOf(field).readsAs === 'text' && !fieldKindOf(field).choices && !isSearched(field)

/**
 * Whether a list can be sorted by a field. Large lists: only by an indexable field that is shown or searched, never by
 * free text or a masked field.
 */
export function canSort(resource: Resource<any, any>, key: string, field: Field): boolean {
  if (field.sortable === false || field.asked === false || field.computed || !fieldKindOf(field).sortable) return false
  // Sorting would reveal personal values the reader may not see.
  if (isPersonalField(field)) return false
  if (!resource.indexedList) return true
  const isShown = resource.list.columns.includes(key) || isSearched(field)
  return isShown && fitsIndex(field) && !isUnrestricted(field) && !field.mask
}

/** Whether many rows share one value of the field, so that its index must continue in the list's own order. */
const isDenseValue = (field: Field): boolean => {
  const { readsAs = 'number', choices } = fieldKindOf(field)
  return choices !== 'rows' && (readsAs === 'number' || !!choices)
}

/** Fields a large list can be filtered or sorted by; each needs an index. */
export const filterOrSortFields = (resource: Resource<any, any>): { key: string; isCrowded: boolean }[] =>
  Object.entries<Field>(resource.fields).flatMap(([key, field]) =>
    !field.computed && fitsIndex(field) && (isSearched(field) || canSort(resource, key, field))
      ? [{ key, isCrowded: isDenseValue(field) }]
      : [],
  )

const ownOrder = (resource: Resource<any, any>): string => resource.list.sort.replace(/^-/, '')

/**
 * Fields of a large list that need a generated index: (field, list order), ascending, which is read in both directions.
 * Where few rows share a value, any declared index that starts with the field is enough.
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
/** Fields with an index that returns rows of equal value in the list's own order. */
export function fieldsIndexedInListOrder(resource: Resource<any, any>): ReadonlySet<string> {
  let known = inOrder.get(resource)
  if (!known) {
    const declared = resource.indexes.filter((keys) => keys[1] === ownOrder(resource)).map(([key]) => key!)
    known = new Set([...fieldsNeedingIndex(resource), ...Object.values(resource.scope), ...declared])
    inOrder.set(resource, known)
  }
  return known
}
