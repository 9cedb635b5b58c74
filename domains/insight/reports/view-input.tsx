import { Select } from 'antd'
import { useQuery } from '@tanstack/react-query'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { get } from '#kit/web/http.ts'
import { useLang } from '#kit/web/language.tsx'

type Choice = { id: string; name: string; label: string }

/** One of the saved views somebody may open, of whatever list. */
export function ViewInput({ value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const lang = useLang()
  const { data = [] } = useQuery({
    queryKey: ['report-views', lang],
    queryFn: () => get<Choice[]>('/api/report/views', undefined, { quiet: true }),
  })
  const chosen = String(value ?? '')
  return (
    <Select
      id={id}
      className="kit-fill"
      value={chosen || undefined}
      onChange={(next?: string) => onChange(next ?? '')}
      options={data.map((view) => ({ value: view.id, label: `${view.label} · ${view.name}` }))}
      showSearch={{ optionFilterProp: 'label' }}
      allowClear
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
    />
  )
}
