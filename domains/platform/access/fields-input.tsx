import { Select } from 'antd'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { useDataScopeRules } from './use-scope-meaning.ts'

const words = { all: { zh: '全部字段', en: 'All fields' } }
const ALL = '*'

/** Picker of the resource's fields that a scope lets its holders see; empty means all. */
export function ScopeFieldsInput({ value, onChange, values, id, invalid, describedBy }: InputProps) {
  const t = useLocalize()
  const meaning = useDataScopeRules(values)
  const chosen = String(value ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one && one !== ALL)
  return (
    <Select
      id={id}
      className="kit-fill"
      mode="multiple"
      allowClear
      value={chosen}
      onChange={(names: string[]) => onChange(names.length ? names.join(',') : ALL)}
      options={(meaning?.columns ?? []).map(({ name, label }) => ({ value: name, label }))}
      showSearch={{ optionFilterProp: 'label' }}
      placeholder={t(words.all)}
      disabled={!meaning?.known}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
    />
  )
}
