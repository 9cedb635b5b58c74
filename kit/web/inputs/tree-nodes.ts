/** A node of a tree as the server sends it (wire contract §1.5). */
export type TreeNode = { id: string; parentId?: string; title: string; code?: string; children?: TreeNode[] }

/** Returns all nodes of the trees as a list, parents first. */
export const flattenTreeNodes = (nodes: readonly TreeNode[]): TreeNode[] =>
  nodes.flatMap((node) => [node, ...flattenTreeNodes(node.children ?? [])])

/**
 * Returns the trees reduced to the nodes whose title or code contains the text, with everything below and all parents
 * of them.
 */
export function filterTreeNodes(nodes: readonly TreeNode[], text: string): TreeNode[] {
  const sought = text.trim().toLowerCase()
  if (!sought) return [...nodes]
  return nodes.flatMap((node) => {
    if (`${node.title} ${node.code ?? ''}`.toLowerCase().includes(sought)) return [node]
    const children = filterTreeNodes(node.children ?? [], sought)
    return children.length ? [{ ...node, children }] : []
  })
}

/** Returns the ids of the nodes that have children. */
export const idsOfParentNodes = (nodes: readonly TreeNode[]): string[] =>
  nodes.flatMap((node) => (node.children?.length ? [node.id, ...idsOfParentNodes(node.children)] : []))
