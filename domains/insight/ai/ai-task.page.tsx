import { AutoComplete } from 'antd'
import { useQuery } from '@tanstack/react-query'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { referenceLabelsById } from '#kit/fields/ref/ref.web.tsx'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage } from '#kit/web/base/language.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import { useResourcePermissions } from '#kit/web/session/use-may.ts'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { aiApp } from './ai-app.resource.ts'
import { resourceNameByAiTarget, aiTask } from './ai-task.resource.ts'

/** Filter of the target picker: one shop, and only rows of the kind the task looks at. */
const within = (type: string, shopId: string) =>
  type === 'report' ? { id: shopId } : { shopId, ...(type === 'camera' ? { type: 'camera,nvr' } : {}) }

/** Input for the targets of a task: rows of its kind in its shop. */
function TargetsInput({ name, field, value, onChange, values, id, disabled, invalid, describedBy }: InputProps) {
  const type = String(values.targetType ?? '')
  const shopId = String(values.shopId ?? '')
  const to = resourceNameByAiTarget[type as keyof typeof resourceNameByAiTarget]
  const isReady = !!to && shopId !== '' && shopId !== '-1'
  return (
    <RowPicker
      key={`${type}/${shopId}`}
      to={to ?? 'deviceInfo'}
      filter={isReady ? within(type, shopId) : undefined}
      value={String(value ?? '')}
      onChange={(next) => onChange(next)}
      multiple
      known={referenceLabelsById(name, field, value, values)}
      id={id}
      disabled={disabled || !isReady}
      invalid={invalid}
      describedBy={describedBy}
    />
  )
}

type Choice = { id: string; title: string; code: string }

/** Input for a workflow code, with the configured applications as suggestions for people who may see them. */
function WorkflowInput({ value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const language = useLanguage()
  const mayList = useResourcePermissions(aiApp).view
  const { data = [] } = useQuery({
    queryKey: ['options', aiApp.name, language],
    queryFn: () => apiGet<Choice[]>(`/api/kit/options/${aiApp.name}`, { size: 100 }, { quiet: true }),
    enabled: mayList,
  })
  return (
    <AutoComplete
      id={id}
      className="kit-fill"
      value={String(value ?? '')}
      onChange={(next: string) => onChange(next)}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      options={data.map(({ code, title }) => ({ value: code, label: `${title} (${code})` }))}
    />
  )
}

export default createResourcePage(aiTask, {
  intro: {
    zh: '让 AI 定时查看货架、画面和订单，发现问题',
    en: 'Let AI check shelves, cameras and orders on schedule and find problems',
  },
  inputs: { targetIds: TargetsInput, workflow: WorkflowInput },
})
