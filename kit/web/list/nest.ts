import type { UntypedRow } from '../form/form-values.ts'

/**
 * A flat list as a forest in its own order; a row whose parent is not in the list is a root. A forest stays as it is.
 */
export function nestRowsByParent(rows: readonly UntypedRow[], parentKey: string): UntypedRow[] {
  if (rows.some((row) => Array.isArray(row.children))) return [...rows]
  const nodes = new Map<string, UntypedRow & { children?: UntypedRow[] }>(
    rows.map((row) => [String(row.id), { ...row }]),
  )
  const roots: UntypedRow[] = []
  for (const node of nodes.values()) {
    const parent = nodes.get(String(node[parentKey]))
    if (parent && parent !== node) (parent.children ??= []).push(node)
    else roots.push(node)
  }
  return roots
}

/** Every row of a forest. */
export const flattenRowTree = (rows: readonly UntypedRow[]): UntypedRow[] =>
  rows.flatMap((row) => [row, ...flattenRowTree((row.children as UntypedRow[] | undefined) ?? [])])
