import { Radio, Select } from 'antd'
import { valueLabelKeyOf } from '#kit/resource/define-resource.ts'
import { DictTag } from '#kit/web/parts/dict-tag.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import { useDictionary } from '#kit/web/parts/use-dictionary.ts'
import type { Field } from '../base/field-kind.ts'
import { useAriaRequired } from '../../web/base/required.ts'
import { DictCellInput } from './dict-cell-input.web.tsx'
import type { CellProps, FilterProps, InputProps, WebFieldKind } from '../web-kind.ts'

const codeOf = (field: Field) => field.dict!
const RADIOS = 4

function DictCell({ name, field, value, row }: CellProps) {
  return <DictTag code={codeOf(field)} value={value} label={row[valueLabelKeyOf(name, field)] as string | undefined} />
}

function DictInput(props: InputProps) {
  const { field, value, onChange, id } = props
  const t = useLocalize()
  const { choices, isPending, isError, retry } = useDictionary(codeOf(field))
  const { without } = field
  const options = choices.filter(({ key }) => !without?.includes(key)).map(({ key, label }) => ({ value: key, label }))
  const current = value === '' || value === undefined ? undefined : String(value)
  // A value without an entry (it was removed) is still offered, so that saving another field does not lose it.
  if (current && !isPending && !choices.some(({ key }) => key === current))
    options.push({ value: current, label: current })
  if (isError)
    return (
      <button type="button" id={id} className="kit-link" onClick={retry}>
        {t(words.failedOptions)} · {t(words.retry)}
      </button>
    )
  const Choice = options.length && options.length <= RADIOS ? Radios : SelectBox
  return (
    <Choice
      {...props}
      options={options}
      current={current}
      isPending={isPending}
      choose={(key) => onChange(key && field.numeric ? Number(key) : key)}
    />
  )
}

type ChoiceProps = InputProps & {
  options: { value: string; label: string }[]
  current: string | undefined
  isPending: boolean
  /** Called with the chosen key, or "" to clear the choice. */
  choose: (key: string) => void
}

function Radios({ field, id, disabled, describedBy, options, current, choose }: ChoiceProps) {
  const isRequired = useAriaRequired()
  return (
    <Radio.Group
      id={id}
      value={current}
      onChange={field.required ? (event) => choose(String(event.target.value)) : undefined}
      disabled={disabled}
      aria-describedby={describedBy}
      aria-required={isRequired}
      className="kit-radios"
    >
      {options.map(({ value, label }) => (
        // A second click on the chosen option clears an optional field.
        <Radio
          key={value}
          value={value}
          onClick={field.required ? undefined : () => choose(current === value ? '' : value)}
        >
          {label}
        </Radio>
      ))}
    </Radio.Group>
  )
}

function SelectBox({ field, id, disabled, invalid, describedBy, options, current, isPending, choose }: ChoiceProps) {
  const isRequired = useAriaRequired()
  const t = useLocalize()
  return (
    <Select
      id={id}
      className="kit-fill"
      value={current ?? null}
      onChange={(key) => choose(key ?? '')}
      options={options}
      loading={isPending}
      allowClear={!field.required}
      showSearch={{ optionFilterProp: 'label' }}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      aria-required={isRequired}
      placeholder={t(words.pick)}
    />
  )
}

export function DictFilter({ field, value, onChange, id }: FilterProps) {
  const t = useLocalize()
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
      placeholder={t(words.all)}
      value={value === '' ? [] : value.split(',')}
      onChange={(keys) => onChange(keys.join(','))}
      options={choices.map(({ key, label }) => ({ value: key, label }))}
    />
  )
}

export function DictEntryText({ field, value }: { field: Field; value: string }) {
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

export const dictWebKind: WebFieldKind = {
  Cell: DictCell,
  Input: DictInput,
  Filter: DictFilter,
  FilterText: DictEntryText,
  width: 120,
  drawnAs: 'tag',
  savesOnChoice: true,
  CellInput: DictCellInput,
}
