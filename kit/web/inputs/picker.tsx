import { Select } from 'antd'
import { useMemo, useState } from 'react'
import { useAriaRequired } from '#kit/web/base/required.ts'
import type { QueryParams } from '../http/query-params.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/page-words.ts'
import { useRowOptions, useRowOptionsById, useDebouncedValue, type RowOption } from './use-options.ts'

type PickerProps = {
  /** Name of the resource whose rows are chosen from. */
  to: string
  /** An id, or a comma list of ids with `multiple`; "" for none. */
  value: string
  onChange: (value: string, options: RowOption[]) => void
  multiple?: boolean
  /** Further filters, such as `{ shopId: '5' }`. */
  filter?: QueryParams
  /** Also offers rows outside the user's limits, for fields with `ignoresScope`. */
  beyond?: boolean
  /** Labels already known, by id, so that they need not be fetched. */
  known?: Record<string, string>
  id?: string
  disabled?: boolean
  invalid?: boolean
  describedBy?: string
  placeholder?: string
  /** Accessible name of the picker if no label stands beside it; otherwise the placeholder. */
  label?: string
  allowClear?: boolean
}

const BEYOND = { beyond: true }

const idsOf = (value: string) => (value === '' || value === '-1' ? [] : value.split(',').filter(Boolean))

/** Select for rows of a resource, searched by title and code on the server while the user types. */
export function RowPicker(props: PickerProps) {
  const { multiple, id, disabled, invalid, describedBy, placeholder, label, allowClear = true } = props
  const isRequired = useAriaRequired()
  const t = useLocalize()
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const { current, options, choose, isFetching, isError, refetch } = useChoices(props, text, open)

  return (
    <Select
      id={id}
      className="kit-fill"
      mode={multiple ? 'multiple' : undefined}
      labelInValue
      value={multiple ? current : (current[0] ?? null)}
      onChange={(next) => choose(Array.isArray(next) ? next.map((one) => one.value) : next?.value)}
      options={options}
      optionRender={({ data }) => <OptionLine option={data.option} />}
      showSearch={{ filterOption: false, onSearch: setText, autoClearSearchValue: true }}
      onOpenChange={(next) => {
        setOpen(next)
        if (!next) setText('')
      }}
      loading={open && isFetching}
      allowClear={allowClear}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-label={label ?? (id ? undefined : placeholder)}
      aria-describedby={describedBy}
      aria-required={isRequired}
      placeholder={placeholder ?? t(words.pickSearch)}
      maxTagCount="responsive"
      notFoundContent={
        isError ? (
          <button type="button" className="kit-link" onClick={() => void refetch()}>
            {t(words.failedOptions)} · {t(words.retry)}
          </button>
        ) : (
          t(isFetching ? words.loading : words.noMatch)
        )
      }
    />
  )
}

/** Returns the options for the text typed so far and the chosen rows with their labels. */
function useChoices({ to, value, onChange, filter, beyond, known }: PickerProps, text: string, isOpen: boolean) {
  const [seen, setSeen] = useState<Record<string, RowOption>>({})
  const reach = beyond ? BEYOND : undefined
  const query = { ...filter, ...reach }
  const { data: found = [], isFetching, isError, refetch } = useRowOptions(to, useDebouncedValue(text), query, isOpen)
  const ids = useMemo(() => idsOf(String(value ?? '')), [value])
  const unknown = ids.filter((one) => !seen[one] && !known?.[one])
  const { data: named = [] } = useRowOptionsById(to, unknown, reach)
  const options = useMemo(() => {
    const all = new Map<string, RowOption>()
    for (const one of found) all.set(String(one.id), { ...one, id: String(one.id) })
    if (!text) {
      for (const one of ids) {
        const option = seen[one] ?? named.find((row) => String(row.id) === one)
        if (!all.has(one)) all.set(one, option ?? { id: one, title: known?.[one] ?? one })
      }
    }
    return [...all.values()].map((option) => ({ value: option.id, label: option.title, option }))
  }, [found, named, seen, known, text, ids])
  const choose = (next: string | string[] | undefined) => {
    const chosen = [next ?? []].flat()
    const rows = chosen
      .map((one) => options.find((option) => option.value === one)?.option ?? seen[one])
      .filter((one) => !!one)
    setSeen((before) => ({ ...before, ...Object.fromEntries(rows.map((row) => [row.id, row])) }))
    onChange(chosen.join(','), rows)
  }
  const labelOf = (one: string) =>
    options.find((option) => option.value === one)?.label ??
    seen[one]?.title ??
    known?.[one] ??
    named.find((row) => String(row.id) === one)?.title ??
    one
  const current = ids.map((one) => ({ value: one, label: labelOf(one) }))
  return { current, options, choose, isFetching, isError, refetch }
}

function OptionLine({ option }: { option: RowOption }) {
  return (
    <span className="kit-option">
      <span>{option.title}</span>
      {option.code && <span className="kit-quiet">{option.code}</span>}
    </span>
  )
}
