import { Select } from 'antd'
import { useQuery } from '@tanstack/react-query'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage } from '#kit/web/base/language.tsx'

type Choice = { id: string; name: string; label: string }

/** Input for one of the saved views the user may open, of any list. */
export function SavedViewInput({ value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const lang = useLanguage()
  const { data = [] } = useQuery({
    queryKey: ['report-views', lang],
    queryFn: () => apiGet<Choice[]>('/api/report/views', undefined, { quiet: true }),
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
