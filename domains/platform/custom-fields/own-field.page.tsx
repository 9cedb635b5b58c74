import { useQuery } from '@tanstack/react-query'
import { Button, Select } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { CellProps, InputProps } from '#kit/fields/web-kind.ts'
import type { WireRow } from '#kit/resource/index.ts'
import { callApi } from '#kit/web/http/call.ts'
import type { CallAnswerOf } from '#kit/resource/index.ts'
import type { FormLayoutOf } from '#kit/web/list/page-parts.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { withListFilters } from '#kit/web/list/list-state.ts'
import { TreeFilterPanel } from '#kit/web/list/side-tree.tsx'
import type { ResourceList } from '#kit/web/list/use-list.ts'
import { useLiveRefetch } from '#kit/web/live/live.ts'
import { ResourcePage } from '#kit/web/page/resource-page.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import CustomFieldChoicesInput from './options-input.tsx'
import { extensibleResourcesCall } from './own-field.calls.ts'
import { ownField } from './own-field.resource.ts'
import { customFieldsTopic } from '#kit/resource/kit-topics.ts'

const FormPreview = lazy(() => import('./form-preview.tsx'))

const words = {
  intro: {
    zh: '为商品、门店、顾客等数据增加本租户自己的字段；保存后立即出现在列表、筛选、表单、导出与导入中',
    en:
      'Add your own fields to products, stores, customers and other data. They appear in lists, ' +
      'filters, forms, exports and imports once saved.',
  },
  tree: { zh: '数据', en: 'Data' },
  all: { zh: '全部', en: 'All' },
  preview: { zh: '预览表单', en: 'Preview form' },
  pick: { zh: '请选择', en: 'Select…' },
}

type Row = WireRow<typeof ownField>

/** Filters by the exact resource name: one name may be part of another. */
const FILTER = 'family_equal'
const resourceIn = (list: { state: Pick<ResourceList['state'], 'filters'> }) => list.state.filters[FILTER]

type ExtensibleResource = CallAnswerOf<typeof extensibleResourcesCall>[number]

function useExtensibleResources() {
  const language = useLanguage()
  const query = useQuery({
    queryKey: ['own-families', language],
    queryFn: () => callApi(extensibleResourcesCall, {}, { quiet: true }),
  })
  useLiveRefetch(customFieldsTopic, () => void query.refetch())
  return query
}

const titleOf = ({ label, count }: ExtensibleResource) => (count ? `${label} (${count})` : label)

/** Filter tree: resources by menu, with the number of custom fields of each. */
function ResourceFilter({ list }: { list: ResourceList }) {
  const t = useLocalize()
  const { data, error, refetch } = useExtensibleResources()
  const groups = data && [...Map.groupBy(data, ({ group }) => group)]
  const resource = resourceIn(list)
  return (
    <TreeFilterPanel
      nodes={groups?.map(([group, ones]) => ({
        id: `group:${group}`,
        title: group,
        children: ones.map((one) => ({ id: one.name, title: titleOf(one) })),
      }))}
      error={error}
      retry={() => void refetch()}
      value={resource ?? ''}
      label={t(words.tree)}
      all={t(words.all)}
      onChange={(id) => id.startsWith('group:') || list.set((before) => withListFilters(before, { [FILTER]: id }))}
    />
  )
}

function ResourceInput({ id, value, onChange, disabled, invalid, describedBy }: InputProps) {
  const t = useLocalize()
  const { data = [], isPending } = useExtensibleResources()
  return (
    <Select
      id={id}
      className="kit-fill"
      value={(value as string) || null}
      onChange={onChange}
      loading={isPending}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      aria-required
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t(words.pick)}
      options={[...Map.groupBy(data, ({ group }) => group)].map(([group, ones]) => ({
        label: group,
        options: ones.map((one) => ({ value: one.name, label: one.label })),
      }))}
    />
  )
}

/** Shows the label of a resource by its name. */
function ResourceChip({ value }: { value: string }) {
  const { data } = useExtensibleResources()
  return <>{data?.find(({ name }) => name === value)?.label ?? value}</>
}

const ResourceCell = ({ row }: CellProps<Row>) => <>{row.familyName}</>

const kindIs =
  (...kinds: string[]) =>
  ({ kind }: { kind?: unknown }) =>
    kinds.includes(String(kind))

const layout: FormLayoutOf<typeof ownField> = [
  { title: { zh: '字段', en: 'Field' }, fields: ['family', 'kind', 'labelZh', 'labelEn', 'helpZh', 'helpEn'] },
  { title: { zh: '选项', en: 'Options' }, fields: ['options'], when: kindIs('choice', 'choices') },
  { title: { zh: '引用', en: 'Reference' }, fields: ['refersTo'], when: kindIs('ref') },
  { title: { zh: '数字', en: 'Number' }, fields: ['decimals', 'unit'], when: kindIs('number') },
  {
    title: { zh: '默认值', en: 'Default value' },
    fields: ['defaultValue'],
    when: kindIs('text', 'longText', 'number', 'money', 'percent', 'phone', 'email', 'url'),
  },
  {
    title: { zh: '出现位置', en: 'Appears in' },
    fields: ['required', 'inList', 'inSearch', 'inForm', 'inExport', 'inImport', 'sort'],
  },
]

/** Lists the custom fields of a tenant by resource, in the order of their forms. */
export default function CustomFieldPage() {
  const t = useLocalize()
  const { data } = useExtensibleResources()
  const [previewed, setPreviewed] = useState<string>()
  return (
    <>
      <ResourcePage
        resource={ownField}
        page={{
          intro: words.intro,
          panel: (list) => <ResourceFilter list={list} />,
          cells: { family: ResourceCell },
          chips: { [FILTER]: ResourceChip },
          inputs: { family: ResourceInput, options: CustomFieldChoicesInput },
          formLayout: layout,
          toolbar: (list) =>
            resourceIn(list) ? (
              <Button icon={<Icon name="eye" />} onClick={() => setPreviewed(resourceIn(list))}>
                {t(words.preview)}
              </Button>
            ) : null,
          preset: (list) => ({ family: resourceIn(list) ?? '' }),
        }}
      />
      <Suspense>
        {previewed && (
          <FormPreview
            family={previewed}
            name={data?.find(({ name }) => name === previewed)?.label ?? previewed}
            onClose={() => setPreviewed(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
