import type { Field } from '#kit/fields/field-kind.ts'
import type { LocalizedText } from '#kit/resource/localized-text.ts'
import { words } from '../page-words.ts'

export type FieldGroup = { title?: LocalizedText; entries: [string, Field][] }

/**
 * Fields under the headings they name, in the order of the declaration: those without one come first where they are
 * declared before the first heading, else last.
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
