import { useQuery } from '@tanstack/react-query'
import { Select } from 'antd'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { get } from '#kit/web/http.ts'
import { useLang } from '#kit/web/language.tsx'
import { page } from '#kit/web/page.tsx'
import { flowRule } from './flow-rule.resource.ts'

type Act = { path: string; title: string; of: string }

function useActs() {
  const lang = useLang()
  return useQuery({
    queryKey: ['flow-acts', lang],
    queryFn: ({ signal }) => get<Act[]>(`${flowRule.path}/acts`, {}, { quiet: true, signal }),
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

export default page(flowRule, {
  intro: {
    zh: '哪些操作要先经人同意：提交时不会执行，按规则找人审批，同意后按当时的内容原样执行',
    en: 'Which acts others have to agree to first: they are kept as they are, decided about, and then done exactly so',
  },
  inputs: { act: ActInput },
  cells: { act: ({ row }) => <ActName path={String(row.act)} /> },
  formLayout: [
    { fields: ['name', 'act', 'condition'] },
    {
      title: { zh: '由谁审批', en: 'Who decides' },
      fields: ['userIds', 'roleIds', 'mode', 'processId', 'hours', 'enabled'],
    },
  ],
})
