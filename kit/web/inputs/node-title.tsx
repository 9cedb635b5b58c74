import type { TreeNode } from './tree-nodes.ts'

type TitledNode = Pick<TreeNode, 'title' | 'code'>

/** Search filter of antd's trees: returns whether the title or code of a node contains the text. */
export const matchesNodeSearch = (text: string, { title, code = '' }: { title?: unknown; code?: string }): boolean =>
  `${String(title)} ${code}`.toLowerCase().includes(text.trim().toLowerCase())

/** Shows the title of a node and beside it its code, which distinguishes nodes of equal title. */
export function TreeNodeTitle({ node: { title, code }, text = '' }: { node: TitledNode; text?: string }) {
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

/** Shows a title with the searched text highlighted. */
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
