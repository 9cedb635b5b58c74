import { flattenTreeNodes, type TreeNode } from './tree-nodes.ts'

/**
 * `linked`: a node stands for all below it. `free`: each for itself. `leaves`: as linked, but only nodes without
 * children count; the others are headings.
 */
export type TreeCheckMode = 'linked' | 'free' | 'leaves'

type Shown = { checked: string[]; half: string[] }

/** How a set of ids looks in the tree. The set itself is never changed by being shown. */
export function computeCheckedNodes(
  nodes: readonly TreeNode[],
  set: ReadonlySet<string>,
  linking: TreeCheckMode,
): Shown {
  const shown: Shown = { checked: [], half: [] }
  const look = (node: TreeNode): 'all' | 'some' | 'none' => {
    const below = (node.children ?? []).map(look)
    const self = set.has(node.id)
    const some = self || below.some((one) => one !== 'none')
    const isChecked = linking === 'free' || !below.length ? self : below.every((one) => one === 'all')
    if (isChecked) shown.checked.push(node.id)
    else if (some) shown.half.push(node.id)
    return isChecked
      ? linking === 'free' && below.some((one) => one !== 'all')
        ? 'some'
        : 'all'
      : some
        ? 'some'
        : 'none'
  }
  nodes.forEach(look)
  return shown
}

/**
 * The set after a node was clicked. `visible` is the node as the reader sees it (a search may hide what lies below):
 * only that is ticked with it. A parent is in the set only while everything below it is, as older clients keep it (wire
 * contract §5).
 */
export function toggleCheckedNode(
  nodes: readonly TreeNode[],
  set: ReadonlySet<string>,
  visible: TreeNode,
  linking: TreeCheckMode,
): Set<string> {
  const next = new Set(set)
  if (linking === 'free') {
    if (!next.delete(visible.id)) next.add(visible.id)
    return next
  }
  const path = pathTo(nodes, visible.id)
  const reached = flattenTreeNodes([visible]).filter((node) => !node.children?.length)
  const isOn = reached.every((node) => set.has(node.id))
  for (const node of reached) {
    if (isOn) next.delete(node.id)
    else next.add(node.id)
  }
  // Parents follow from what is below them now: those inside the clicked node and those that lead to it.
  const settle = (node: TreeNode): boolean => {
    const below = (node.children ?? []).map(settle)
    if (!below.length) return next.has(node.id)
    const isFull = below.every(Boolean)
    if (linking === 'linked' && isFull) next.add(node.id)
    else next.delete(node.id)
    return isFull
  }
  const clicked = path.at(-1)
  if (clicked) settle(clicked)
  for (const node of path.slice(0, -1).reverse()) {
    const isFull = linking === 'linked' && (node.children ?? []).every((child) => next.has(child.id))
    if (isFull) next.add(node.id)
    else next.delete(node.id)
  }
  return next
}

function pathTo(nodes: readonly TreeNode[], id: string): TreeNode[] {
  for (const node of nodes) {
    if (node.id === id) return [node]
    const below = pathTo(node.children ?? [], id)
    if (below.length) return [node, ...below]
  }
  return []
}
