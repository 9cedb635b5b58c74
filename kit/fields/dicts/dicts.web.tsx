import { Checkbox, Select } from 'antd'
import { labelKeyOf } from '#kit/resource/define-resource.ts'
import { DictTag } from '#kit/web/dict-tag.tsx'
import { useSay } from '#kit/web/language.tsx'
import { words } from '#kit/web/page-words.ts'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import { DictFilter, DictText } from '../dict/dict.web.tsx'
import type { CellProps, InputProps, WebKind } from '../web-kind.ts'

const listOf = (value: unknown) => String(value ?? '').split(',').filter(Boolean)

function DictsCell({ name, field, value, row }: CellProps) {
  const labels = listOf(row[labelKeyOf(name, field)])
  return (
    <span className="kit-tags">
      {listOf(value).map((key, index) => <DictTag key={key} code={field.dict as string} value={key} label={labels[index]} />)}
    </span>
  )
}

function DictsInput({ field, value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const say = useSay()
  const { choices, isPending } = useDictionary(field.dict as string)
  const options = choices.map(({ key, label }) => ({ value: key, label }))
  const chosen = listOf(value)
  for (const key of chosen) if (!isPending && !choices.some((one) => one.key === key)) options.push({ value: key, label: key })
  if (options.length && options.length <= 6) {
    return (
      <fieldset id={id} className="kit-radios" aria-describedby={describedBy}>
        <Checkbox.Group value={chosen} onChange={(keys) => onChange(keys.join(','))} options={options} disabled={disabled} />
      </fieldset>
    )
  }
  return (
    <Select
      id={id}
      className="kit-fill"
      mode="multiple"
      value={chosen}
      onChange={(keys) => onChange(keys.join(','))}
      options={options}
      loading={isPending}
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      placeholder={say(words.pick)}
    />
  )
}

export const dictsWeb: WebKind = { Cell: DictsCell, Input: DictsInput, Filter: DictFilter, FilterText: DictText, width: 180 }
