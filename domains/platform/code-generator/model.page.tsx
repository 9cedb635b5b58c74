import { Select } from 'antd'
import { useNavigate } from 'react-router'
import type { WireRow } from '#kit/resource/index.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { TextLineInput } from '#kit/fields/plain.web.tsx'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { model } from './model.resource.ts'
import { useDataSourceTables } from './tables.panel.tsx'

type Row = WireRow<typeof model>

const words = {
  intro: {
    zh: '一张表是什么样：从数据源读取，或手工定义；再由它生成代码',
    en: 'The structure of a table, read from a data source or defined manually. Code is generated from it.',
  },
  design: { zh: '字段设计', en: 'Fields' },
  from: { zh: '来自哪里', en: 'Source' },
  called: { zh: '叫什么', en: 'Naming' },
  choose: { zh: '请选择表', en: 'Select a table' },
}

/** Picks a table of the chosen data source; plain text input without a data source or when it cannot be read. */
function TableInput(props: InputProps) {
  const t = useLocalize()
  const source = String(props.values.datasourceId ?? '')
  const { data = [], isFetching, error } = useDataSourceTables(source)
  if (source === '' || source === '-1' || error) return <TextLineInput {...props} />
  return (
    <Select
      id={props.id}
      className="kit-fill"
      value={String(props.value ?? '') || null}
      onChange={(value) => props.onChange(value ?? '')}
      options={data.map(({ name, comment }) => ({ value: name, label: comment }))}
      loading={isFetching}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t(words.choose)}
      status={props.invalid ? 'error' : undefined}
      aria-describedby={props.describedBy}
    />
  )
}

const layout: FormLayoutOf<typeof model> = [
  { title: words.from, fields: ['datasourceId', 'modelTable'] },
  { title: words.called, fields: ['modelName', 'modelNameEn', 'modelCode', 'modelClass', 'modelRemark'] },
]

export default function ModelPage() {
  const go = useNavigate()
  return (
    <ResourcePage
      resource={model}
      page={{
        intro: words.intro,
        formLayout: layout,
        inputs: { modelTable: TableInput },
        rowActions: (row: Row) => [
          { key: 'design', label: words.design, icon: 'profile', run: () => void go(`/tool/model/${row.id}`) },
        ],
      }}
    />
  )
}
