import { Button, Input, Switch, Tree } from 'antd'
import { useMemo, useState } from 'react'
import { computeCheckedNodes, toggleCheckedNode, type TreeCheckMode } from './checked-nodes.ts'
import { Icon } from '../theme/icon.tsx'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { EmptyStateNote } from '../parts/states.tsx'
import { flattenTreeNodes, filterTreeNodes, idsOfParentNodes, type TreeNode } from '../inputs/tree-nodes.ts'
import { TreeNodeTitle } from '../inputs/node-title.tsx'
import '../parts/parts.css'

const own = {
  find: { zh: '按名称查找', en: 'Find by name' },
  all: { zh: '全选', en: 'All' },
  none: { zh: '清空', en: 'Clear' },
  unfold: { zh: '全部展开', en: 'Expand all' },
  fold: { zh: '全部收起', en: 'Collapse all' },
  linked: { zh: '父子联动', en: 'Select children too' },
  linkedHint: { zh: '关闭后可只勾选页面而不含按钮', en: 'Turn off to select a page without its buttons' },
  count: { zh: '已选 {count} 项', en: '{count} selected' },
  beyond: {
    zh: '另有 {count} 项不在您可见的范围内，保存时原样保留。',
    en: '{count} more {count|is|are} outside your scope and {count|stays|stay} unchanged.',
  },
  drop: { zh: '去除它们', en: 'Remove them' },
}

const SMALL = 80

type Props = {
  nodes: TreeNode[]
  /** Ids as stored; ids the tree does not contain are kept. */
  value: readonly string[]
  onChange: (ids: string[]) => void
  label: string
  /**
   * `leaves`: only nodes without children can be ticked, the others are headings. `free`: each node counts alone. If
   * unset, the user switches between linked and free.
   */
  linking?: 'leaves' | 'free'
  height?: number
  /** Hides the button that removes the ids the tree does not contain. */
  keepsBeyond?: boolean
  id?: string
  invalid?: boolean
}

/** Returns the tree node for a node of antd's tree, by its key. */
const treeNodeOf = (byId: ReadonlyMap<string, TreeNode>, node: { key: unknown }): TreeNode =>
  byId.get(String(node.key)) ?? (node as unknown as TreeNode)

/**
 * Searchable tree with checkboxes. Returns the given ids with only the ticked changes, ids unknown to the tree
 * included.
 */
export function CheckboxTree(props: Props) {
  const { nodes, value, onChange, label, linking: fixed, height = 420, keepsBeyond, invalid } = props
  const t = useLocalize()
  const [text, setText] = useState('')
  const all = useMemo(() => flattenTreeNodes(nodes), [nodes])
  const known = useMemo(() => new Set(all.map((node) => node.id)), [all])
  const set = useMemo(() => new Set(value), [value])
  // A parent without all of its children (a page without its buttons) can only be shown in free mode.
  const [isLinked, setLinked] = useState(() => !all.some((node) => isHeldWithoutSome(node, set)))
  const linking: TreeCheckMode = fixed ?? (isLinked ? 'linked' : 'free')
  const shown = useMemo(() => computeCheckedNodes(nodes, set, linking), [nodes, set, linking])
  const seen = useMemo(() => filterTreeNodes(nodes, text), [nodes, text])
  const byId = useMemo(() => new Map(flattenTreeNodes(seen).map((node) => [node.id, node])), [seen])
  const [unfolded, setUnfolded] = useState<string[]>(() => (known.size <= SMALL ? idsOfParentNodes(nodes) : []))
  const beyond = value.filter((one) => !known.has(one))
  const choosable = all.filter((node) => fixed !== 'leaves' || !node.children?.length)
  if (!nodes.length) return <EmptyStateNote icon="inbox" title={t(words.noMatch)} />

  return (
    <div className={`kit-check-tree${invalid ? ' kit-check-tree-bad' : ''}`}>
      <div className="kit-tree-bar">
        <FindBox id={props.id} text={text} onText={setText} label={label} />
        <TreeTools
          isUnfolded={unfolded.length > 0}
          onAll={() => onChange([...beyond, ...choosable.map((node) => node.id)])}
          onNone={() => onChange(beyond)}
          onUnfold={(isOpen) => setUnfolded(isOpen ? idsOfParentNodes(nodes) : [])}
        />
      </div>
      <div className="kit-tree-box" style={{ minHeight: Math.min(height, 200) }}>
        {seen.length ? (
          <Tree
            treeData={seen as never}
            fieldNames={{ key: 'id', title: 'title', children: 'children' }}
            checkable
            checkStrictly
            selectable={false}
            height={height}
            itemHeight={30}
            checkedKeys={{ checked: shown.checked, halfChecked: shown.half }}
            expandedKeys={text.trim() ? idsOfParentNodes(seen) : unfolded}
            onExpand={(keys) => !text.trim() && setUnfolded(keys.map(String))}
            onCheck={(_keys, { node }) => onChange([...toggleCheckedNode(nodes, set, treeNodeOf(byId, node), linking)])}
            titleRender={(node) => <TreeNodeTitle node={node as unknown as TreeNode} text={text} />}
            aria-label={label}
          />
        ) : (
          <EmptyStateNote icon="file-search" title={t(words.noMatch)} />
        )}
      </div>
      <TreeFoot
        count={choosable.filter((node) => set.has(node.id)).length}
        isLinked={isLinked}
        onLinked={fixed ? undefined : setLinked}
      />
      <Beyond {...{ value, known, onChange, keepsBeyond }} />
    </div>
  )
}

const isHeldWithoutSome = ({ id, children }: TreeNode, held: ReadonlySet<string>) =>
  !!children?.length && held.has(id) && !children.every((child) => held.has(child.id))

type FindProps = { id?: string; text: string; onText: (text: string) => void; label: string }

function FindBox({ id, text, onText, label }: FindProps) {
  const t = useLocalize()
  return (
    <Input
      id={id}
      allowClear
      value={text}
      onChange={(event) => onText(event.target.value)}
      prefix={<Icon name="search" />}
      placeholder={t(own.find)}
      aria-label={`${label}: ${t(own.find)}`}
    />
  )
}

type ToolProps = {
  isUnfolded: boolean
  onAll: () => void
  onNone: () => void
  onUnfold: (isUnfolded: boolean) => void
}

function TreeTools({ isUnfolded, onAll, onNone, onUnfold }: ToolProps) {
  const t = useLocalize()
  return (
    <span className="kit-tree-tools">
      <Button size="small" type="text" onClick={onAll}>
        {t(own.all)}
      </Button>
      <Button size="small" type="text" onClick={onNone}>
        {t(own.none)}
      </Button>
      <Button size="small" type="text" onClick={() => onUnfold(!isUnfolded)}>
        {t(isUnfolded ? own.fold : own.unfold)}
      </Button>
    </span>
  )
}

type FootProps = { count: number; isLinked: boolean; onLinked?: (isLinked: boolean) => void }

function TreeFoot({ count, isLinked, onLinked }: FootProps) {
  const t = useLocalize()
  return (
    <div className="kit-tree-foot">
      <span className="kit-quiet" aria-live="polite">
        {t(own.count, { count })}
      </span>
      {onLinked && (
        <label data-tip={t(own.linkedHint)}>
          <Switch size="small" checked={isLinked} onChange={onLinked} /> {t(own.linked)}
        </label>
      )}
    </div>
  )
}

type BeyondProps = Pick<Props, 'value' | 'onChange' | 'keepsBeyond'> & { known: ReadonlySet<string> }

function Beyond({ value, known, onChange, keepsBeyond }: BeyondProps) {
  const t = useLocalize()
  const seen = value.filter((one) => known.has(one))
  const count = value.length - seen.length
  if (!count) return null
  return (
    <p className="kit-quiet kit-tree-beyond">
      {t(own.beyond, { count })}{' '}
      {!keepsBeyond && (
        <Button type="link" size="small" onClick={() => onChange(seen)}>
          {t(own.drop)}
        </Button>
      )}
    </p>
  )
}
