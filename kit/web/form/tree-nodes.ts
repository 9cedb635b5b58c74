/** A node of a tree as the server sends it (wire contract §1.5). */
export type TreeNode = { id: string; parentId?: string; title: string; code?: string; children?: TreeNode[] }

/** Every node of a forest, parents first. */
export const flattenTreeNodes = (nodes: readonly TreeNode[]): TreeNode[] =>
  nodes.flatMap((node) => [node, ...flattenTreeNodes(node.children ?? [])])

/** Nodes whose title or code contains the text, with all that lies below them and the way that leads to them. */
export function filterTreeNodes(nodes: readonly TreeNode[], text: string): TreeNode[] {
  const sought = text.trim().toLowerCase()
  if (!sought) return [...nodes]
  return nodes.flatMap((node) => {
    if (`${node.title} ${node.code ?? ''}`.toLowerCase().includes(sought)) return [node]
    const children = filterTreeNodes(node.children ?? [], sought)
    return children.length ? [{ ...node, children }] : []
  })
}

/** Ids of nodes that have something below them. */
export const idsOfParentNodes = (nodes: readonly TreeNode[]): string[] =>
  nodes.flatMap((node) => (node.children?.length ? [node.id, ...idsOfParentNodes(node.children)] : []))
