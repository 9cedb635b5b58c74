import { Input } from 'antd'
import { valueLabelKeyOf } from '#kit/resource/define-resource.ts'
import { CopyableText } from '#kit/web/parts/copyable.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import { RowPicker } from '#kit/web/inputs/picker.tsx'
import { RowLink } from '#kit/web/inputs/row-link.tsx'
import { useRowOptionsById } from '#kit/web/inputs/use-options.ts'
import { useAriaRequired } from '../../web/base/required.ts'
import { fieldKindOf } from '../kinds.ts'
import { referencedResourceName } from './referenced-resource.ts'
import type { Field } from '../base/field-kind.ts'
import type { CellProps, FilterProps, InputProps, WebFieldKind } from '../web-kind.ts'

/** Returns the labels that came with the row, by the ids the field names. */
export function referenceLabelsById(
  name: string,
  field: Field,
  value: unknown,
  row: Record<string, unknown>,
): Record<string, string> {
  const labels = row[valueLabelKeyOf(name, field)]
  const ids = String(value ?? '')
    .split(',')
    .filter(Boolean)
  const texts = Array.isArray(labels)
    ? labels.map(String)
    : ids.length > 1
      ? String(labels ?? '').split(',')
      : [String(labels ?? '')]
  return Object.fromEntries(ids.flatMap((id, index) => (texts[index] ? [[id, texts[index]]] : [])))
}

function RefCell({ name, field, value, row }: CellProps) {
  const t = useLocalize()
  const to = referencedResourceName(field, row)
  // Without a known resource the value is shown as a bare id.
  if (!to) return <CopyableText text={String(value)} />
  // Id 0 stands for the system: a job, a register or the first start wrote the row.
  if (String(value) === '0') return <span className="kit-quiet">{to === 'user' ? t(words.system) : '—'}</span>
  const known = referenceLabelsById(name, field, value, row)
  return (
    <span className="kit-line" data-tip-cut={Object.values(known).join(', ')}>
      {String(value)
        .split(',')
        .filter(Boolean)
        .map((id, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <RowLink to={to} id={id}>
              {known[id] ?? id}
            </RowLink>
          </span>
        ))}
    </span>
  )
}

const given = (value: unknown) =>
  value === undefined || value === null || value === -1 || value === '-1' ? '' : String(value)

function RefInput({ name, field, value, onChange, values, id, disabled, invalid, describedBy }: InputProps) {
  const isRequired = useAriaRequired()
  const to = referencedResourceName(field, values)
  const owner = field.same
  const wanted = owner ? given(values[owner]) : ''
  if (!to)
    return (
      <Input
        id={id}
        value={given(value)}
        disabled={disabled}
        status={invalid ? 'error' : undefined}
        aria-describedby={describedBy}
        aria-required={isRequired}
        onChange={(event) => onChange(event.target.value.trim())}
      />
    )
  return (
    <RowPicker
      key={to}
      to={to}
      filter={wanted ? { [owner!]: wanted } : undefined}
      value={given(value)}
      onChange={(next) => onChange(next)}
      multiple={fieldKindOf(field).many}
      beyond={field.ignoresScope}
      known={referenceLabelsById(name, field, value, values)}
      id={id}
      disabled={disabled}
      invalid={invalid}
      describedBy={describedBy}
      allowClear={!field.required}
    />
  )
}

function RefFilter({ field, value, onChange, id }: FilterProps) {
  if (!field.to)
    return <Input id={id} value={value} allowClear onChange={(event) => onChange(event.target.value.trim())} />
  return <RowPicker to={field.to} value={value} onChange={(next) => onChange(next)} multiple id={id} />
}

export function RefText({ field, value }: { field: Field; value: string }) {
  const { data = [] } = useRowOptionsById(field.to!, field.to ? value.split(',') : [])
  return (
    <>
      {value
        .split(',')
        .map((id) => data.find((row) => String(row.id) === id)?.title ?? id)
        .join(' / ')}
    </>
  )
}

export const refWebKind: WebFieldKind = {
  Cell: RefCell,
  Input: RefInput,
  Filter: RefFilter,
  FilterText: RefText,
  width: 150,
  drawnAs: 'text',
  savesOnChoice: true,
}
