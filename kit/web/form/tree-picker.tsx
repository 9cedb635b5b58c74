import { TreeSelect } from 'antd'
import { useAriaRequired } from '#kit/fields/required.ts'
import type { QueryParams } from '../http.ts'
import { useLocalize } from '../language.tsx'
import { words } from '../page-words.ts'
import { matchesNodeSearch, TreeNodeTitle } from './node-title.tsx'
import { useRowOptionTree, type RowOption } from './use-options.ts'

type Node = { value: string; title: string; code?: string; disabled?: boolean; children?: Node[] }

type Props = {
  to: string
  /** Further conditions: `{ category: 1 }`. */
  filter?: QueryParams
  /** An id, or a comma list with `multiple`; "" for none. */
  value: string
  onChange: (value: string) => void
  multiple?: boolean
  /** This row and what lies below it cannot be chosen. */
  without?: string
  /** The chosen row's name while the tree is on its way. */
  known?: string
  id?: string
  disabled?: boolean
  invalid?: boolean
  describedBy?: string
  /** What an empty field says; the top level unless given. */
  placeholder?: string
}

const nodesOf = (options: RowOption[], without?: string, under = false): Node[] =>
  options.map((option) => {
    const disabled = under || String(option.id) === without
    return {
      value: String(option.id),
      title: option.title,
      code: option.code,
      disabled,
      ...(option.children && { children: nodesOf(option.children, without, disabled) }),
    }
  })

const has = (nodes: Node[], value: string): boolean =>
  nodes.some((node) => node.value === value || has(node.children ?? [], value))

/** A choice out of a tree of rows, searchable by name. */
export default function TreeRowPicker({
  to,
  filter,
  value,
  onChange,
  multiple,
  without,
  known,
  id,
  disabled,
  invalid,
  describedBy,
  placeholder,
}: Props) {
  const isRequired = useAriaRequired()
  const t = useLocalize()
  const { data, isFetching } = useRowOptionTree(to, filter)
  const nodes = nodesOf(data ?? [], without)
  const chosen = value === '' || value === '0' ? [] : value.split(',')
  // Until the tree is here the value must not be seen as a bare id.
  for (const one of chosen) if (!has(nodes, one)) nodes.push({ value: one, title: known || one, disabled: true })
  return (
    <TreeSelect
      id={id}
      className="kit-fill"
      treeData={nodes}
      value={multiple ? chosen : chosen[0]}
      onChange={(next: string | string[] | undefined) => onChange([next ?? []].flat().join(','))}
      multiple={multiple}
      treeCheckable={multiple}
      treeDefaultExpandAll={nodes.length < 30}
      loading={isFetching}
      allowClear
      treeTitleRender={(node: Node) => <TreeNodeTitle node={node} />}
      showSearch={{ filterTreeNode: matchesNodeSearch }}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      aria-required={isRequired}
      placeholder={placeholder ?? t(multiple ? words.pick : words.topLevel)}
      notFoundContent={t(isFetching ? words.loading : words.noMatch)}
    />
  )
}
