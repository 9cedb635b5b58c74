import type { Field } from '#kit/fields/field-kind.ts'
import type { Words } from '#kit/resource/words.ts'
import { words } from './page-words.ts'

export type Group = { title?: Words, entries: [string, Field][] }

/** Fields under the headings they name, in the order of the declaration; those without a heading come last when there are others. */
export function grouped(fields: readonly [string, Field][]): Group[] {
  const groups: Group[] = []
  const rest: Group = { entries: [] }
  for (const entry of fields) {
    const title = entry[1].group
    const group = title ? groups.find((one) => one.title?.zh === title.zh) : rest
    if (group) group.entries.push(entry)
    else groups.push({ title, entries: [entry] })
  }
  if (!rest.entries.length) return groups
  return groups.length ? [...groups, { ...rest, title: words.other }] : [rest]
}
