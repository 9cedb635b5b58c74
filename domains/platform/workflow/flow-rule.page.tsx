import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage } from '#kit/web/base/language.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { flowRule } from './flow-rule.resource.ts'

type Act = { path: string; title: string; of: string }

function useActs() {
  const lang = useLanguage()
  return useQuery({
    queryKey: ['flow-acts', lang],
    queryFn: ({ signal }) => apiGet<Act[]>(`${flowRule.path}/acts`, {}, { quiet: true, signal }),
    staleTime: Infinity,
  })
}

const nameOf = (act: Act) => `${act.of} · ${act.title}`

function ActInput({ id, value, onChange, invalid, disabled, describedBy }: InputProps) {
  const { data = [], isFetching } = useActs()
  return (
    <Select
      id={id}
      className="kit-fill"
      showSearch={{ optionFilterProp: 'label' }}
      loading={isFetching}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      value={(value as string) || null}
      onChange={(next) => onChange(next ?? '')}
      options={data.map((act) => ({ value: act.path, label: nameOf(act) }))}
    />
  )
}

function ActName({ path }: { path: string }) {
  const act = useActs().data?.find((one) => one.path === path)
  return <span title={path}>{act ? nameOf(act) : path}</span>
}

export default createResourcePage(flowRule, {
  intro: {
    zh: '哪些操作要先审批；同意后按提交时的内容执行',
    en: 'Actions that require approval. Once approved, they are applied exactly as submitted.',
  },
  inputs: { act: ActInput },
  cells: { act: ({ row }) => <ActName path={String(row.act)} /> },
  formLayout: [
    { fields: ['name', 'act', 'condition'] },
    {
      title: { zh: '由谁审批', en: 'Approvers' },
      fields: ['userIds', 'roleIds', 'mode', 'processId', 'hours', 'enabled'],
    },
  ],
})
