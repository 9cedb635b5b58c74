import type { TreeNode } from './tree-nodes.ts'

type Named = Pick<TreeNode, 'title' | 'code'>

/** What a search box of antd's trees finds: title and code. */
export const matchesNodeSearch = (text: string, { title, code = '' }: { title?: unknown; code?: string }): boolean =>
  `${String(title)} ${code}`.toLowerCase().includes(text.trim().toLowerCase())

/** A node by its title and, beside it, the code that tells it from others of that title. */
export function TreeNodeTitle({ node: { title, code }, text = '' }: { node: Named; text?: string }) {
  return (
    <>
      <HighlightedText title={String(title)} text={text} />
      {code && code !== title && (
        <small className="kit-quiet">
          {' '}
          <HighlightedText title={code} text={text} />
        </small>
      )}
    </>
  )
}

/** A title with the sought part set off. */
export function HighlightedText({ title, text }: { title: string; text: string }) {
  const sought = text.trim().toLowerCase()
  const at = sought ? title.toLowerCase().indexOf(sought) : -1
  if (at < 0) return <>{title}</>
  return (
    <>
      {title.slice(0, at)}
      <mark>{title.slice(at, at + sought.length)}</mark>
      {title.slice(at + sought.length)}
    </>
  )
}
