import type { ModelColumn } from './part.ts'

/** A column on screen: with its id once saved, whether somebody added it, and whether its table has it no more. */
export type EditedModelColumn = ModelColumn & { id?: string; isAdded?: boolean; isGone?: boolean }

/** What the table alone decides; all else of a column somebody may have decided. */
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
 * Columns of a model with what their table says now: new ones at their place, what the table decides brought up to
 * date, those it has no more marked. What a person decided stays.
 */
export function mergeTableColumns(shown: readonly EditedModelColumn[], table: readonly ModelColumn[]): ReadAgain {
  const fresh = new Map(table.map((part) => [part.jdbcName, part]))
  const known = new Set(shown.map(({ jdbcName }) => jdbcName))
  let changed = 0
  const parts: EditedModelColumn[] = shown.map((part) => {
    const now = fresh.get(part.jdbcName)
    // What somebody added has no column to be gone.
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

/** The choices of a column with those its table has besides; the words of the others are as somebody left them. */
function withNew({ options, dictCode }: ModelColumn, now: ModelColumn): ModelColumn['options'] {
  if (dictCode) return options
  const known = new Set(options.map(({ key }) => key))
  const more = now.options.filter(({ key }) => !known.has(key))
  return more.length ? [...options, ...more] : options
}
