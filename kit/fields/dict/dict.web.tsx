import { Radio, Select } from 'antd'
import { labelKeyOf } from '#kit/resource/define-resource.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { useSay } from '#kit/web/language.tsx'
import { words } from '#kit/web/page-words.ts'
import { useDictionary } from '#kit/web/use-dictionary.ts'
import type { Field } from '../field-kind.ts'
import { useRequired } from '../required.ts'
import { DictCellInput } from './dict-cell-input.web.tsx'
import type { CellProps, FilterProps, InputProps, WebKind } from '../web-kind.ts'

const codeOf = (field: Field) => field.dict!
const RADIOS = 4

function DictCell({ name, field, value, row }: CellProps) {
  return <DictTag code={codeOf(field)} value={value} label={row[labelKeyOf(name, field)] as string | undefined} />
}

function DictInput({ field, value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const isRequired = useRequired()
  const say = useSay()
  const { choices, isPending, isError, retry } = useDictionary(codeOf(field))
  const wire = (key: string) => (field.numeric ? Number(key) : key)
  const without = field.without
  const options = choices.filter(({ key }) => !without?.includes(key)).map(({ key, label }) => ({ value: key, label }))
  const current = value === '' || value === undefined ? undefined : String(value)
  // A value whose entry is gone is still shown, so that saving something else does not lose it unseen.
  if (current && !isPending && !choices.some(({ key }) => key === current))
    options.push({ value: current, label: current })
  if (isError)
    return (
      <button type="button" id={id} className="kit-link" onClick={retry}>
        {say(words.failedOptions)} · {say(words.retry)}
      </button>
    )
  if (options.length && options.length <= RADIOS && field.required) {
    return (
      <Radio.Group
        id={id}
        value={current}
        onChange={(event) => onChange(wire(event.target.value as string))}
        options={options}
        disabled={disabled}
        aria-describedby={describedBy}
        aria-required={isRequired}
        className="kit-radios"
      />
    )
  }
  if (options.length && options.length <= RADIOS) {
    return (
      <Radio.Group
        id={id}
        value={current}
        disabled={disabled}
        aria-describedby={describedBy}
        aria-required={isRequired}
        className="kit-radios"
      >
        {options.map((option) => (
          // A second press on the chosen one takes the choice back: the field may be empty.
          <Radio
            key={option.value}
            value={option.value}
            onClick={() => onChange(current === option.value ? '' : wire(option.value))}
          >
            {option.label}
          </Radio>
        ))}
      </Radio.Group>
    )
  }
  return (
    <Select
      id={id}
      className="kit-fill"
      value={current ?? null}
      onChange={(key) => onChange(key === undefined || key === null ? '' : wire(key))}
      options={options}
      loading={isPending}
      allowClear={!field.required}
      showSearch={{ optionFilterProp: 'label' }}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      aria-required={isRequired}
      placeholder={say(words.pick)}
    />
  )
}

export function DictFilter({ field, value, onChange, id }: FilterProps) {
  const say = useSay()
  const { choices, isPending } = useDictionary(codeOf(field))
  return (
    <Select
      id={id}
      className="kit-fill"
      mode="multiple"
      maxTagCount="responsive"
      allowClear
      showSearch={{ optionFilterProp: 'label' }}
      loading={isPending}
      placeholder={say(words.all)}
      value={value === '' ? [] : value.split(',')}
      onChange={(keys) => onChange(keys.join(','))}
      options={choices.map(({ key, label }) => ({ value: key, label }))}
    />
  )
}

export function DictText({ field, value }: { field: Field; value: string }) {
  const { choices } = useDictionary(codeOf(field))
  return (
    <>
      {value
        .split(',')
        .map((key) => choices.find((one) => one.key === key)?.label ?? key)
        .join(' / ')}
    </>
  )
}

export const dictWeb: WebKind = {
  Cell: DictCell,
  Input: DictInput,
  Filter: DictFilter,
  FilterText: DictText,
  width: 120,
  drawnAs: 'tag',
  savesOnChoice: true,
  CellInput: DictCellInput,
}
