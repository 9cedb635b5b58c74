import { Checkbox, Select } from 'antd'
import { valueLabelKeyOf } from '#kit/resource/define-resource.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import { DictFilter, DictEntryText } from '../dict/dict.web.tsx'
import { useAriaRequired } from '../../web/base/required.ts'
import type { CellProps, InputProps, WebFieldKind } from '../web-kind.ts'

const listOf = (value: unknown) =>
  String(value ?? '')
    .split(',')
    .filter(Boolean)

function DictsCell({ name, field, value, row }: CellProps) {
  const labels = listOf(row[valueLabelKeyOf(name, field)])
  return (
    <span className="kit-tags">
      {listOf(value).map((key, index) => (
        <DictTag key={key} code={field.dict!} value={key} label={labels[index]} />
      ))}
    </span>
  )
}

function DictsInput({ field, value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const isRequired = useAriaRequired()
  const t = useLocalize()
  const { choices, isPending } = useDictionary(field.dict)
  const options = choices
    .filter(({ key }) => !field.without?.includes(key))
    .map(({ key, label }) => ({ value: key, label }))
  const chosen = listOf(value)
  for (const key of chosen)
    if (!isPending && !options.some((one) => one.value === key)) options.push({ value: key, label: key })
  if (options.length && options.length <= 6) {
    return (
      <fieldset id={id} className="kit-radios" aria-describedby={describedBy}>
        <Checkbox.Group
          value={chosen}
          onChange={(keys) => onChange(keys.join(','))}
          options={options}
          disabled={disabled}
        />
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
      aria-required={isRequired}
      placeholder={t(words.pick)}
    />
  )
}

export const dictsWebKind: WebFieldKind = {
  Cell: DictsCell,
  Input: DictsInput,
  Filter: DictFilter,
  FilterText: DictEntryText,
  width: 180,
}
