import { flattenTreeNodes, type TreeNode } from '../inputs/tree-nodes.ts'

/**
 * How ticks of parents and children depend on each other. `linked`: a parent stands for all nodes below it. `free`:
 * each node counts alone. `leaves`: linked, but only nodes without children are chosen; parents are headings.
 */
export type TreeCheckMode = 'linked' | 'free' | 'leaves'

type CheckedNodes = { checked: string[]; half: string[] }

/** Returns which nodes of the tree are shown as ticked and half ticked for a set of ids. Never changes the set. */
export function computeCheckedNodes(
  nodes: readonly TreeNode[],
  set: ReadonlySet<string>,
  linking: TreeCheckMode,
): CheckedNodes {
  const shown: CheckedNodes = { checked: [], half: [] }
  const visit = (node: TreeNode): 'all' | 'some' | 'none' => {
    const below = (node.children ?? []).map(visit)
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
  nodes.forEach(visit)
  return shown
}

/**
 * Returns the set of ids after a click on a node. `visible` is the node as shown: children hidden by a search are not
 * ticked with it. A parent is in the set only while everything below it is, as older clients expect (wire contract §5).
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
  // Parents are set by the nodes below them: those inside the clicked node and those above it.
  const updateParents = (node: TreeNode): boolean => {
    const below = (node.children ?? []).map(updateParents)
    if (!below.length) return next.has(node.id)
    const isFull = below.every(Boolean)
    if (linking === 'linked' && isFull) next.add(node.id)
    else next.delete(node.id)
    return isFull
  }
  const clicked = path.at(-1)
  if (clicked) updateParents(clicked)
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
