import { useQuery } from '@tanstack/react-query'
import { Input, Skeleton, Tree } from 'antd'
import { useState } from 'react'
import { HighlightedText } from '#kit/web/inputs/node-title.tsx'
import { apiGet } from '#kit/web/http/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useDebouncedValue } from '#kit/web/inputs/use-options.ts'
import { region } from './region.resource.ts'
import '#kit/web/parts/parts.css'

type Wire = { id: string; parentId: string; title: string; hasChildren: boolean }
type Node = { key: string; title: string; isLeaf: boolean; children?: Node[] }

const COUNTRY = '00'
const words = { find: { zh: '按名称或编号查找', en: 'Search by name or code' } }

const fetchBelow = async (query: Record<string, string>): Promise<Node[]> =>
  (await apiGet<Wire[]>(`${region.path}/lazy-tree`, query, { quiet: true })).map((one) => ({
    key: one.id,
    title: one.title,
    isLeaf: !one.hasChildren,
  }))

const withChildren = (nodes: Node[], key: string, children: Node[]): Node[] =>
  nodes.map((node) =>
    node.key === key
      ? { ...node, isLeaf: !children.length, children }
      : node.children
        ? { ...node, children: withChildren(node.children, key, children) }
        : node,
  )

/** State of the region tree: the levels loaded so far and the open nodes. */
export function useRegionTree() {
  const [nodes, setNodes] = useState<Node[]>()
  const [open, setOpen] = useState<string[]>([])
  const start = useQuery({
    queryKey: ['regions'],
    queryFn: async () => {
      const found = await fetchBelow({ parentCode: COUNTRY })
      setNodes(found)
      return found
    },
    refetchOnWindowFocus: false,
  })
  const load = async (code: string) => {
    const below = await fetchBelow({ parentCode: code })
    setNodes((before) => (code === COUNTRY ? merged(below, before ?? []) : withChildren(before ?? [], code, below)))
  }
  return {
    nodes,
    open,
    setOpen,
    load,
    error: start.error,
    /** Reloads the regions below a code, or the whole tree without one. */
    reload: async (code?: string) => {
      if (code && code !== COUNTRY) {
        setOpen((before) => [...new Set([...before, code])])
        return load(code)
      }
      if (!code) {
        setOpen([])
        setNodes(undefined)
      }
      return load(COUNTRY)
    },
  }
}

/** Merges reloaded nodes with those before, keeping their loaded children. */
const merged = (fresh: Node[], before: Node[]): Node[] =>
  fresh.map((node) => ({
    ...node,
    ...(before.find((one) => one.key === node.key)?.children && {
      children: before.find((one) => one.key === node.key)!.children,
    }),
  }))

type Props = { tree: ReturnType<typeof useRegionTree>; value: string; onChange: (code: string) => void }

/** Shows the region tree with a search by code or name. */
export function RegionTree({ tree, value, onChange }: Props) {
  const t = useLocalize()
  const [text, setText] = useState('')
  const sought = useDebouncedValue(text.trim())
  const found = useQuery({
    queryKey: ['region-search', sought],
    enabled: sought !== '',
    queryFn: () => fetchBelow(/^\d+$/.test(sought) ? { code: sought } : { name: sought }),
  })
  if (tree.error && !tree.nodes)
    return <ErrorNote title={t(kit.failedOptions)} error={tree.error} retry={() => void tree.reload()} />
  return (
    <div className="kit-side-tree">
      <Input
        allowClear
        value={text}
        onChange={(event) => setText(event.target.value)}
        prefix={<Icon name="search" />}
        placeholder={t(words.find)}
        aria-label={t(words.find)}
      />
      {sought ? (
        found.data?.length === 0 ? (
          <p className="kit-quiet kit-side-none">{t(kit.noMatch)}</p>
        ) : (
          <ul className="region-found">
            {(found.data ?? []).slice(0, 200).map((node) => (
              <li key={node.key}>
                <button
                  type="button"
                  className="kit-side-all"
                  aria-pressed={node.key === value}
                  onClick={() => onChange(node.key)}
                >
                  <HighlightedText title={node.title} text={sought} /> <span className="kit-quiet">{node.key}</span>
                </button>
              </li>
            ))}
          </ul>
        )
      ) : tree.nodes ? (
        <Tree
          treeData={tree.nodes}
          blockNode
          selectedKeys={value ? [value] : []}
          expandedKeys={tree.open}
          onExpand={(keys) => tree.setOpen(keys.map(String))}
          loadData={(node) => (node.children ? Promise.resolve() : tree.load(String(node.key)))}
          onSelect={(_keys, { node }) => onChange(String(node.key))}
          aria-label={t(region.label)}
        />
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 8 }} />
      )}
    </div>
  )
}
