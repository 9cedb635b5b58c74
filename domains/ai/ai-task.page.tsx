import type { InputProps } from '#kit/fields/web-kind.ts'
import { namesOf } from '#kit/fields/ref/ref.web.tsx'
import { page } from '#kit/web/page.tsx'
import { Picker } from '#kit/web/form/picker.tsx'
import { aiTargets, aiTask } from './ai-task.resource.ts'

/** What narrows the choice to one shop, and to what a task of the kind looks at. */
const within = (type: string, shopId: string) =>
  type === 'report' ? { id: shopId } : { shopId, ...(type === 'camera' ? { type: 'camera,nvr' } : {}) }

/** Rows of the kind the task looks at, in its shop. */
function TargetsInput({ name, field, value, onChange, values, id, disabled, invalid, describedBy }: InputProps) {
  const type = String(values.targetType ?? '')
  const shopId = String(values.shopId ?? '')
  const to = aiTargets[type as keyof typeof aiTargets]
  const isReady = !!to && shopId !== '' && shopId !== '-1'
  return (
    <Picker
      key={`${type}/${shopId}`}
      to={to ?? 'deviceInfo'}
      filter={isReady ? within(type, shopId) : undefined}
      value={String(value ?? '')}
      onChange={(next) => onChange(next)}
      multiple
      known={namesOf(name, field, value, values)}
      id={id}
      disabled={disabled || !isReady}
      invalid={invalid}
      describedBy={describedBy}
    />
  )
}

export default page(aiTask, {
  intro: { zh: '让 AI 定时查看货架、画面和订单，发现问题', en: 'What AI workflows look at in the shops, and when' },
  inputs: { targetIds: TargetsInput },
})
