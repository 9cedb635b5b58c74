import type { ModelColumn } from './part.ts'

/**
 * A column in the editor: `id` once saved, `isAdded` when entered by hand, `isGone` when the table no longer has it.
 */
export type EditedModelColumn = ModelColumn & { id?: string; isAdded?: boolean; isGone?: boolean }

/** Properties always taken from the table; the user may have chosen the others. */
const OF_TABLE = [
  'jdbcType',
  'propertyType',
  'comment',
  'columnLength',
  'columnScale',
  'refTable',
  'uniqueGroup',
] as const

type ReadAgain = { parts: EditedModelColumn[]; added: number; changed: number; gone: number }

/**
 * Merges the columns in the editor with those the table has now: adds new ones at their position, updates what the
 * table decides, marks missing ones. Keeps what the user chose.
 */
export function mergeTableColumns(shown: readonly EditedModelColumn[], table: readonly ModelColumn[]): ReadAgain {
  const fresh = new Map(table.map((part) => [part.jdbcName, part]))
  const known = new Set(shown.map(({ jdbcName }) => jdbcName))
  let changed = 0
  const parts: EditedModelColumn[] = shown.map((part) => {
    const now = fresh.get(part.jdbcName)
    // A column entered by hand has no name in the table, so it is not missing there.
    if (!now) return { ...part, isGone: part.jdbcName !== '' }
    const options = withNew(part, now)
    if (OF_TABLE.every((key) => part[key] === now[key]) && options === part.options) return { ...part, isGone: false }
    changed++
    return { ...part, ...Object.fromEntries(OF_TABLE.map((key) => [key, now[key]])), options, isGone: false }
  })
  let at = 0
  let added = 0
  for (const part of table) {
    const place = parts.findIndex(({ jdbcName }) => jdbcName === part.jdbcName)
    if (place >= 0) at = place + 1
    else {
      parts.splice(at++, 0, part)
      added++
    }
  }
  return { parts, added, changed, gone: [...known].filter((name) => name && !fresh.has(name)).length }
}

/**
 * Adds the table's new choices to a column's; keeps the texts of existing ones. Leaves a column with an existing
 * dictionary unchanged.
 */
function withNew({ options, dictCode }: ModelColumn, now: ModelColumn): ModelColumn['options'] {
  if (dictCode) return options
  const known = new Set(options.map(({ key }) => key))
  const more = now.options.filter(({ key }) => !known.has(key))
  return more.length ? [...options, ...more] : options
}
