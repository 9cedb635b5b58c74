import type { Fields } from '#kit/fields/field-kind.ts'
import type { Row } from './form-values.ts'

/** The field that names a row's parent, if the rows are a tree. */
export const parentKeyOf = (fields: Fields) => Object.entries(fields).find(([, field]) => field.kind === 'tree')?.[0]

/** A flat list as a forest in its own order; a row whose parent is not in the list is a root. A forest stays as it is. */
export function nest(rows: readonly Row[], parentKey: string): Row[] {
  if (rows.some((row) => Array.isArray(row.children))) return [...rows]
  const nodes = new Map(rows.map((row) => [String(row.id), { ...row } as Row & { children?: Row[] }]))
  const roots: Row[] = []
  for (const node of nodes.values()) {
    const parent = nodes.get(String(node[parentKey]))
    if (parent && parent !== node) (parent.children ??= []).push(node)
    else roots.push(node)
  }
  return roots
}

/** Every row of a forest. */
export const flat = (rows: readonly Row[]): Row[] => rows.flatMap((row) => [row, ...flat((row.children as Row[] | undefined) ?? [])])
