import type { Row } from '../form/form-values.ts'

/**
 * A flat list as a forest in its own order; a row whose parent is not in the list is a root. A forest stays as it is.
 */
export function nest(rows: readonly Row[], parentKey: string): Row[] {
  if (rows.some((row) => Array.isArray(row.children))) return [...rows]
  const nodes = new Map<string, Row & { children?: Row[] }>(rows.map((row) => [String(row.id), { ...row }]))
  const roots: Row[] = []
  for (const node of nodes.values()) {
    const parent = nodes.get(String(node[parentKey]))
    if (parent && parent !== node) (parent.children ??= []).push(node)
    else roots.push(node)
  }
  return roots
}

/** Every row of a forest. */
export const flat = (rows: readonly Row[]): Row[] =>
  rows.flatMap((row) => [row, ...flat((row.children as Row[] | undefined) ?? [])])
