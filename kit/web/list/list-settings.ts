/** Row height of a table. */
export type TableDensity = 'small' | 'medium' | 'large'
type ColumnSetting = { key: string; hidden?: boolean; width?: number }
/** A user's settings of one list: order, width and visibility of its columns, its density and first view. */
export type ListSettings = {
  columns: ColumnSetting[]
  density?: TableDensity
  /** Id of the saved view that the list opens with. */
  view?: string
}

export const EMPTY_LIST_SETTINGS: ListSettings = { columns: [] }

/** Reads settings from the server; ignores whatever it does not understand. */
export function parseListSettings(value: unknown): ListSettings {
  if (typeof value !== 'object' || value === null) return EMPTY_LIST_SETTINGS
  const { columns, density, view } = value as { columns?: unknown; density?: unknown; view?: unknown }
  const known = (Array.isArray(columns) ? columns : []).filter(
    (column): column is ColumnSetting => typeof (column as ColumnSetting | null)?.key === 'string',
  )
  return {
    columns: known.map(({ key, hidden, width }) => ({
      key,
      ...(hidden === true && { hidden }),
      ...(typeof width === 'number' && width >= 48 && { width: Math.min(width, 1200) }),
    })),
    ...(typeof view === 'string' && /^\d{1,19}$/.test(view) && { view }),
    ...((density === 'small' || density === 'medium' || density === 'large') && { density }),
  }
}

/**
 * Returns the columns in the user's order. Columns unknown to the settings go after their declared neighbour; settings
 * of removed columns are dropped.
 */
export function arrangeColumns<
  C extends { key: string; hidden?: boolean; width?: number; isDrawn?: boolean; need?: unknown },
>(columns: readonly C[], settings: ListSettings): C[] {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const arranged: C[] = []
  for (const { key, hidden, width } of settings.columns) {
    const column = byKey.get(key)
    // A width the user dragged is kept, whatever the content needs.
    if (column)
      arranged.push({ ...column, hidden: hidden ?? false, ...(width && { width, isDrawn: true, need: undefined }) })
  }
  columns.forEach((column, index) => {
    if (arranged.some(({ key }) => key === column.key)) return
    const before = columns.slice(0, index).findLast(({ key }) => arranged.some((one) => one.key === key))
    arranged.splice(before ? arranged.findIndex(({ key }) => key === before.key) + 1 : 0, 0, column)
  })
  return arranged
}

/** Returns the settings that store these columns; widths that were not dragged are left out. */
export const columnSettingsOf = (
  columns: readonly (ColumnSetting & { isDrawn?: boolean })[],
  changes: Partial<Record<string, Partial<ColumnSetting>>> = {},
) =>
  columns.map(({ key, hidden, width, isDrawn }) => ({
    key,
    ...(hidden && { hidden }),
    ...(isDrawn && { width }),
    ...changes[key],
  }))

/** Moves a column by `to` places, or before another column. */
export function moveColumn<C extends { key: string }>(
  columns: readonly C[],
  key: string,
  to: number | { before: string },
): C[] {
  const column = columns.find((one) => one.key === key)
  if (!column) return [...columns]
  const others = columns.filter((one) => one.key !== key)
  const place = typeof to === 'number' ? columns.indexOf(column) + to : others.findIndex((one) => one.key === to.before)
  others.splice(Math.max(0, Math.min(place, others.length)), 0, column)
  return others
}
