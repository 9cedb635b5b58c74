import { Button, Input, Switch, Tree } from 'antd'
import { useMemo, useState } from 'react'
import { shownOf, toggled, type Linking } from './checked-nodes.ts'
import { Icon } from '../theme/icon.tsx'
import { useSay } from '../language.tsx'
import { words } from '../page-words.ts'
import { StateNote } from '../parts/states.tsx'
import { allNodes, matching, parentIds, type TreeNode } from './tree-nodes.ts'
import '../parts/parts.css'

const own = {
  find: { zh: '按名称查找', en: 'Find by name' },
  all: { zh: '全选', en: 'All' },
  none: { zh: '清空', en: 'None' },
  unfold: { zh: '全部展开', en: 'Unfold all' },
  fold: { zh: '全部收起', en: 'Fold all' },
  linked: { zh: '父子联动', en: 'Tick with what is below' },
  linkedHint: { zh: '关闭后可只勾选页面而不含按钮', en: 'Switch off to tick a page without its buttons' },
  count: { zh: '已选 {count} 项', en: '{count} ticked' },
  beyond: {
    zh: '另有 {count} 项不在您可见的范围内，保存时原样保留。',
    en: '{count} more lie beyond what you can see; saving keeps them as they are.',
  },
  drop: { zh: '去除它们', en: 'Take them away' },
}

const SMALL = 80

type Props = {
  nodes: TreeNode[]
  /** Ids exactly as stored; ids the tree does not know stay untouched. */
  value: readonly string[]
  onChange: (ids: string[]) => void
  label: string
  /**
   * `leaves`: only nodes without children can be chosen, the others are headings. `free`: each node for itself. Else
   * the reader decides.
   */
  linking?: 'leaves' | 'free'
  height?: number
  id?: string
  invalid?: boolean
}

/** A tree to tick in, searchable, that gives back exactly what it was given plus what was ticked. */
export function CheckTree({ nodes, value, onChange, label, linking: fixed, height = 420, id, invalid }: Props) {
  const say = useSay()
  const [text, setText] = useState('')
  const known = useMemo(() => new Set(allNodes(nodes).map((node) => node.id)), [nodes])
  const set = useMemo(() => new Set(value), [value])
  // A page held without its buttons can only be shown where each node stands for itself.
  const [isLinked, setLinked] = useState(
    () =>
      !allNodes(nodes).some(
        (node) => node.children?.length && set.has(node.id) && !node.children.every((child) => set.has(child.id)),
      ),
  )
  const linking: Linking = fixed ?? (isLinked ? 'linked' : 'free')
  const shown = useMemo(() => shownOf(nodes, set, linking), [nodes, set, linking])
  const seen = useMemo(() => matching(nodes, text), [nodes, text])
  const [unfolded, setUnfolded] = useState<string[]>(() => (known.size <= SMALL ? parentIds(nodes) : []))
  const open = text.trim() ? parentIds(seen) : unfolded
  const beyond = value.filter((one) => !known.has(one))
  const choosable = allNodes(nodes).filter((node) => fixed !== 'leaves' || !node.children?.length)
  const count = choosable.filter((node) => set.has(node.id)).length
  const byId = useMemo(() => new Map(allNodes(seen).map((node) => [node.id, node])), [seen])

  if (!nodes.length) return <StateNote icon="inbox" title={say(words.noMatch)} />
  return (
    <div className={`kit-check-tree${invalid ? ' kit-check-tree-bad' : ''}`}>
      <div className="kit-tree-bar">
        <Input
          id={id}
          allowClear
          value={text}
          onChange={(event) => setText(event.target.value)}
          prefix={<Icon name="search" />}
          placeholder={say(own.find)}
          aria-label={`${label}: ${say(own.find)}`}
        />
        <span className="kit-tree-tools">
          <Button size="small" type="text" onClick={() => onChange([...beyond, ...choosable.map((node) => node.id)])}>
            {say(own.all)}
          </Button>
          <Button size="small" type="text" onClick={() => onChange(beyond)}>
            {say(own.none)}
          </Button>
          <Button size="small" type="text" onClick={() => setUnfolded(unfolded.length ? [] : parentIds(nodes))}>
            {say(unfolded.length ? own.fold : own.unfold)}
          </Button>
        </span>
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
            expandedKeys={open}
            onExpand={(keys) => !text.trim() && setUnfolded(keys.map(String))}
            onCheck={(_keys, { node }) =>
              onChange([...toggled(nodes, set, byId.get(String(node.key)) ?? (node as unknown as TreeNode), linking)])
            }
            titleRender={(node) => <Marked title={String((node as unknown as TreeNode).title)} text={text} />}
            aria-label={label}
          />
        ) : (
          <StateNote icon="file-search" title={say(words.noMatch)} />
        )}
      </div>
      <div className="kit-tree-foot">
        <span className="kit-quiet" aria-live="polite">
          {say(own.count, { count })}
        </span>
        {!fixed && (
          <label data-tip={say(own.linkedHint)}>
            <Switch size="small" checked={isLinked} onChange={setLinked} /> {say(own.linked)}
          </label>
        )}
      </div>
      {beyond.length > 0 && (
        <p className="kit-quiet kit-tree-beyond">
          {say(own.beyond, { count: beyond.length })}{' '}
          <Button type="link" size="small" onClick={() => onChange(value.filter((one) => known.has(one)))}>
            {say(own.drop)}
          </Button>
        </p>
      )}
    </div>
  )
}

/** A title with the sought part set off. */
export function Marked({ title, text }: { title: string; text: string }) {
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
