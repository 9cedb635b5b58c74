import { TreeSelect } from 'antd'
import { useAriaRequired } from '#kit/web/base/required.ts'
import type { QueryParams } from '../http/query-params.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { matchesNodeSearch, TreeNodeTitle } from './node-title.tsx'
import { useRowOptionTree, type RowOption } from './use-options.ts'

type Node = { value: string; title: string; code?: string; disabled?: boolean; children?: Node[] }

type Props = {
  to: string
  /** Further filters, such as `{ category: 1 }`. */
  filter?: QueryParams
  /** An id, or a comma list with `multiple`; "" for none. */
  value: string
  onChange: (value: string) => void
  multiple?: boolean
  /** Id of a row that cannot be chosen, with all below it. */
  without?: string
  /** Label of the chosen row until the tree is loaded. */
  known?: string
  id?: string
  disabled?: boolean
  invalid?: boolean
  describedBy?: string
  /** Text of the empty field; "top level" if unset. */
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

/** Picker for a row of a tree, searchable by title and code. */
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
  // Before the tree is loaded the value would be shown as a bare id.
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
