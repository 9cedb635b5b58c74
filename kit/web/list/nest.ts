import type { UntypedRow } from '../row/form-values.ts'

/**
 * Nests a flat list by parent id, in its own order; a row without its parent in the list becomes a root. Returns rows
 * that are nested already unchanged.
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

/** Returns every row of the trees as a flat list. */
export const flattenRowTree = (rows: readonly UntypedRow[]): UntypedRow[] =>
  rows.flatMap((row) => [row, ...flattenRowTree((row.children as UntypedRow[] | undefined) ?? [])])
