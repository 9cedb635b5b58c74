import { TreeSelect } from 'antd'
import { useAriaRequired } from '#kit/web/base/required.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { referenceLabelsById } from '#kit/fields/ref/ref.web.tsx'
import type { QueryParams } from '../http/query-params.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { matchesNodeSearch, TreeNodeTitle } from '../inputs/node-title.tsx'
import { useRowOptionTree, type RowOption } from '../inputs/use-options.ts'

const flat = (options: readonly RowOption[]): RowOption[] =>
  options.flatMap((option) => [option, ...flat(option.children ?? [])])

/**
 * Picker of several rows of a tree. A parent does not include its children: a company and a department are two choices.
 */
export default function TreeMultiPicker({
  name,
  field,
  value,
  onChange,
  values,
  id,
  invalid,
  describedBy,
  filter,
}: InputProps & { filter?: QueryParams }) {
  const isRequired = useAriaRequired()
  const t = useLocalize()
  const { data = [], isFetching } = useRowOptionTree(field.to!, filter)
  const titles = new Map(flat(data).map((option) => [String(option.id), option.title]))
  const known = referenceLabelsById(name, field, value, values)
  const chosen = String(value ?? '')
    .split(',')
    .filter(Boolean)
  return (
    <TreeSelect
      id={id}
      className="kit-fill"
      treeData={data}
      fieldNames={{ label: 'title', value: 'id', children: 'children' }}
      value={chosen.map((one) => ({ value: one, label: titles.get(one) ?? known[one] ?? one }))}
      onChange={(next: unknown) => onChange((next as { value: string }[]).map((one) => one.value).join(','))}
      multiple
      treeCheckable
      treeCheckStrictly
      treeDefaultExpandAll={titles.size < 40}
      showCheckedStrategy={TreeSelect.SHOW_ALL}
      treeTitleRender={(node: RowOption) => <TreeNodeTitle node={node} />}
      showSearch={{ filterTreeNode: matchesNodeSearch }}
      loading={isFetching}
      allowClear
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      aria-required={isRequired}
      placeholder={t(words.pick)}
      notFoundContent={t(isFetching ? words.loading : words.noMatch)}
    />
  )
}
