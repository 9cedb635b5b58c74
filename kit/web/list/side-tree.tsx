import { Input, Skeleton, Tree, TreeSelect } from 'antd'
import { useMemo, useState } from 'react'
import { HighlightedText } from '../inputs/node-title.tsx'
import { Icon } from '../theme/icon.tsx'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { useScreenSize } from '../base/screen.ts'
import { ErrorNote } from '../parts/states.tsx'
import { filterTreeNodes, idsOfParentNodes, type TreeNode } from '../inputs/tree-nodes.ts'
import '../parts/parts.css'

const SMALL = 60

type Props = {
  nodes: TreeNode[] | undefined
  /** Id of the chosen node, "" for all. */
  value: string
  onChange: (id: string) => void
  label: string
  /** Label of the choice "no node"; without it a node must be chosen. */
  all?: string
  error?: Error | null
  retry?: () => void
}

/** Tree beside a list that filters it by the chosen node; on narrow screens a select. */
export function TreeFilterPanel({ nodes, error, retry, ...props }: Props) {
  const t = useLocalize()
  const isNarrow = useScreenSize() < 2
  const unfolded = useMemo(() => {
    const parents = idsOfParentNodes(nodes ?? [])
    return parents.length <= SMALL ? parents : (nodes ?? []).map((node) => node.id)
  }, [nodes])
  if (error && !nodes) return <ErrorNote title={t(words.failedOptions)} error={error} retry={() => retry?.()} />
  if (!nodes) return <Skeleton active title={false} paragraph={{ rows: 6 }} />
  const Shape = isNarrow ? TreeField : OpenTree
  return <Shape {...props} nodes={nodes} unfolded={unfolded} />
}

type ShapeProps = Pick<Props, 'value' | 'onChange' | 'label' | 'all'> & { nodes: TreeNode[]; unfolded: string[] }

function TreeField({ nodes, unfolded, value, onChange, label, all }: ShapeProps) {
  const t = useLocalize()
  return (
    <TreeSelect
      className="kit-fill"
      size="large"
      treeData={nodes}
      fieldNames={{ label: 'title', value: 'id', children: 'children' }}
      value={value || undefined}
      onChange={(next: string | undefined) => onChange(next ?? '')}
      allowClear={!!all}
      placeholder={all ?? t(words.pick)}
      aria-label={label}
      showSearch={{ treeNodeFilterProp: 'title' }}
      treeDefaultExpandAll={unfolded.length < SMALL}
    />
  )
}

function OpenTree({ nodes, unfolded: start, value, onChange, label, all }: ShapeProps) {
  const t = useLocalize()
  const [text, setText] = useState('')
  const [unfolded, setUnfolded] = useState<string[]>()
  const seen = useMemo(() => filterTreeNodes(nodes, text), [nodes, text])

  return (
    <div className="kit-side-tree">
      <Input
        allowClear
        value={text}
        onChange={(event) => setText(event.target.value)}
        prefix={<Icon name="search" />}
        placeholder={label}
        aria-label={`${t(words.search)}: ${label}`}
      />
      {all && (
        <button type="button" className="kit-side-all" aria-pressed={!value} onClick={() => onChange('')}>
          {all}
        </button>
      )}
      {seen.length ? (
        <Tree
          treeData={seen as never}
          fieldNames={{ key: 'id', title: 'title', children: 'children' }}
          blockNode
          selectedKeys={value ? [value] : []}
          expandedKeys={text.trim() ? idsOfParentNodes(seen) : (unfolded ?? start)}
          onExpand={(keys) => !text.trim() && setUnfolded(keys.map(String))}
          onSelect={(_keys, { node }) => onChange(String(node.key) === value && all ? '' : String(node.key))}
          titleRender={(node) => (
            <span className="kit-line" data-tip-cut={String((node as unknown as TreeNode).title)}>
              <HighlightedText title={String((node as unknown as TreeNode).title)} text={text} />
            </span>
          )}
          aria-label={label}
        />
      ) : (
        <p className="kit-quiet kit-side-none">{t(words.noMatch)}</p>
      )}
    </div>
  )
}
