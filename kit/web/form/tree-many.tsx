import { TreeSelect } from 'antd'
import { useRequired } from '#kit/fields/required.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { namesOf } from '#kit/fields/ref/ref.web.tsx'
import type { Params } from '../http.ts'
import { useLocalize } from '../language.tsx'
import { words } from '../page-words.ts'
import { isSought, NodeTitle } from './node-title.tsx'
import { useOptionTree, type Option } from './use-options.ts'

const flat = (options: readonly Option[]): Option[] =>
  options.flatMap((option) => [option, ...flat(option.children ?? [])])

/** Several rows out of a tree, each standing for itself: a company and one of its departments are two choices. */
export default function TreeMany({
  name,
  field,
  value,
  onChange,
  values,
  id,
  invalid,
  describedBy,
  filter,
}: InputProps & { filter?: Params }) {
  const isRequired = useRequired()
  const t = useLocalize()
  const { data = [], isFetching } = useOptionTree(field.to!, filter)
  const titles = new Map(flat(data).map((option) => [String(option.id), option.title]))
  const known = namesOf(name, field, value, values)
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
      treeTitleRender={(node: Option) => <NodeTitle node={node} />}
      showSearch={{ filterTreeNode: isSought }}
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
