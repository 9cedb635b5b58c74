import type { Field } from '#kit/fields/base/field-kind.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { words } from '../base/page-words.ts'

export type FieldGroup = { title?: LocalizedText; entries: [string, Field][] }

/**
 * Groups fields by their `group` heading, in the order of the declaration. Fields without one come first if declared
 * before the first heading, otherwise last.
 */
export function groupFields(fields: readonly [string, Field][]): FieldGroup[] {
  const groups: FieldGroup[] = []
  for (const entry of fields) {
    const title = entry[1].group ?? (groups.some((one) => one.title !== words.basics) ? words.other : words.basics)
    const group = groups.find((one) => one.title!.zh === title.zh)
    if (group) group.entries.push(entry)
    else groups.push({ title, entries: [entry] })
  }
  if (groups.length === 1 && groups[0]!.title === words.basics) return [{ entries: groups[0]!.entries }]
  return [
    ...groups.filter(({ title }) => title !== words.other),
    ...groups.filter(({ title }) => title === words.other),
  ]
}
