import type { WireRow } from '#kit/resource/index.ts'
import { Input } from 'antd'
import { useMemo, useState } from 'react'
import { useAriaRequired } from '#kit/web/base/required.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { refusalDetailsOf } from '#kit/web/row/run-action.ts'
import { useReportUnsavedWork } from '#kit/web/base/unsaved.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words as kit } from '#kit/web/base/page-words.ts'
import { toast } from '#kit/web/base/toast.ts'
import { useTab } from '#kit/web/base/tab.ts'
import { region } from './region.resource.ts'

type Row = WireRow<typeof region>

/** The region being edited, or with `add` the parent of a new one. */
export type RegionFormTarget = { kind: 'edit' | 'add'; code: string }

export const COUNTRY_REGION_CODE = '00'
const DEEPEST = 5

type Saved = { code: string; parentCode: string }

/** Form of an existing region, or of a new one below it. */
export function useRegionForm(place: RegionFormTarget, row: Row, onSaved: (saved: Saved) => void) {
  const t = useLocalize()
  const { key: tab } = useTab()
  const isNew = place.kind === 'add'
  const parentCode = isNew ? place.code : String(row.parentCode ?? '')
  const prefix = parentCode === COUNTRY_REGION_CODE || parentCode === '0' ? '' : parentCode
  const { code, name, regionLevel, isAbolished, sort, remark } = region.fields
  const form = useForm({
    fields: { code, name, regionLevel, isAbolished, sort, remark },
    mode: place.kind,
    row: isNew ? undefined : row,
    preset: isNew
      ? { code: prefix, regionLevel: Math.min(DEEPEST, Number(row.regionLevel ?? 0) + 1), sort: 1 }
      : undefined,
  })
  const inputs = useMemo(() => ({ code: (input: InputProps) => <CodeInput {...input} prefix={prefix} /> }), [prefix])
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState('')
  useReportUnsavedWork(form.changed.length > 0, t(region.label), tab)

  const save = async () => {
    if (isSaving || !form.check()) return
    if (!isNew && !form.changed.length) return toast.info(t(kit.nothingChanged))
    setSaving(true)
    setProblem('')
    try {
      const identity = isNew
        ? { parentCode }
        : { id: row.id, code: row.code, ...(row.version !== undefined && { version: row.version }) }
      const body = { ...identity, ...form.payload() }
      await form.hold(() => apiPost(`${region.path}/submit`, { body }, { quiet: true }))
      toast.success(t(isNew ? kit.added : kit.updated))
      onSaved({ code: String(isNew ? form.values.code : row.code), parentCode })
    } catch (reason) {
      const { fields } = refusalDetailsOf(reason)
      if (fields && Object.keys(fields).some((field) => form.fields[field])) form.refuse(fields)
      else setProblem((reason as Error).message)
    } finally {
      setSaving(false)
    }
  }
  return { form, inputs, parentCode, save, isSaving, problem }
}

/** Code input: the parent's code is a fixed prefix, only the rest is typed. */
function CodeInput({ value, onChange, id, invalid, describedBy, prefix }: InputProps & { prefix: string }) {
  const isRequired = useAriaRequired()
  const text = String(value ?? '')
  return (
    <Input
      id={id}
      prefix={prefix ? <span className="kit-quiet">{prefix}</span> : undefined}
      value={prefix && text.startsWith(prefix) ? text.slice(prefix.length) : text}
      inputMode="numeric"
      onChange={(event) => onChange(prefix + event.target.value.trim())}
      status={invalid ? 'error' : undefined}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      aria-required={isRequired}
    />
  )
}
