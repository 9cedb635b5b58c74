import { Alert, Button, Input, Skeleton } from 'antd'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useRequired } from '#kit/fields/required.ts'
import type { InputProps } from '#kit/fields/web-kind.ts'
import { EditForm } from '#kit/web/form/edit-form.tsx'
import type { Row } from '#kit/web/form/form-values.ts'
import { get, post } from '#kit/web/http.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLang, useSay } from '#kit/web/language.tsx'
import { words as kit } from '#kit/web/page-words.ts'
import { refusalOf } from '#kit/web/form/run-action.ts'
import { ErrorNote } from '#kit/web/parts/states.tsx'
import { useTab } from '#kit/web/tab.ts'
import { toast } from '#kit/web/parts/toast.ts'
import { useUnsaved } from '#kit/web/form/unsaved.ts'
import { useForm } from '#kit/web/form/use-form.ts'
import { useMay } from '#kit/web/session/use-may.ts'
import { region } from './region.resource.ts'

/** The region on screen, or a new one below it. */
export type Place = { kind: 'edit' | 'add'; code: string }

type Props = {
  place: Place
  onSaved: (saved: { code: string; parentCode: string }) => void
  onCancel: () => void
  onRemove: (row: { code: string; name: string; parentCode: string }) => void
}

const COUNTRY = '00'
const DEEPEST = 5

const words = {
  below: { zh: '在 {name} 下新增', en: 'Add below {name}' },
  path: { zh: '所属', en: 'Part of' },
}

/** Loads the region and shows its form. */
export function RegionForm(props: Props) {
  const say = useSay()
  const language = useLang()
  const { data, error, refetch } = useQuery({
    queryKey: ['region', language, props.place.code],
    gcTime: 0,
    staleTime: 0,
    refetchOnWindowFocus: false,
    queryFn: () => get<Row>(`${region.path}/detail`, { code: props.place.code }, { quiet: true }),
  })
  if (error && !data) return <ErrorNote title={say(kit.failedDetail)} error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton active paragraph={{ rows: 6 }} />
  return <Loaded {...props} row={data} />
}

function Loaded({ place, row, onSaved, onCancel, onRemove }: Props & { row: Row }) {
  const say = useSay()
  const may = useMay(region)
  const { key: tab } = useTab()
  const isNew = place.kind === 'add'
  const parentCode = isNew ? place.code : String(row.parentCode ?? '')
  const prefix = parentCode === COUNTRY || parentCode === '0' ? '' : parentCode
  const { code, name, regionLevel, sort, remark } = region.fields
  const form = useForm({
    fields: { code, name, regionLevel, sort, remark },
    mode: place.kind,
    row: isNew ? undefined : row,
    preset: isNew
      ? { code: prefix, regionLevel: Math.min(DEEPEST, Number(row.regionLevel ?? 0) + 1), sort: 1 }
      : undefined,
  })
  const inputs = useMemo(() => ({ code: (input: InputProps) => <CodeInput {...input} prefix={prefix} /> }), [prefix])
  const [isSaving, setSaving] = useState(false)
  const [problem, setProblem] = useState('')
  useUnsaved(form.changed.length > 0, say(region.label), tab)

  const save = async () => {
    if (isSaving || !form.check()) return
    if (!isNew && !form.changed.length) return toast.info(say(kit.nothingChanged))
    setSaving(true)
    setProblem('')
    try {
      const identity = isNew
        ? { parentCode }
        : { id: row.id, code: row.code, ...(row.version !== undefined && { version: row.version }) }
      const body = { ...identity, ...form.payload() }
      await post(`${region.path}/submit`, { body }, { quiet: true })
      toast.success(say(isNew ? kit.added : kit.updated))
      onSaved({ code: String(isNew ? form.values.code : row.code), parentCode })
    } catch (reason) {
      const { fields } = refusalOf(reason)
      if (fields && Object.keys(fields).some((field) => form.fields[field])) form.refuse(fields)
      else setProblem((reason as Error).message)
    } finally {
      setSaving(false)
    }
  }
  const depth = Number(row.regionLevel ?? 0)
  const above = [row.provinceName, row.cityName, row.districtName, row.townName]
    .slice(0, isNew ? depth : Math.max(0, depth - 1))
    .filter(Boolean)
    .map(String)
  const mayWrite = isNew ? may.add : may.edit
  return (
    <form
      className="region-form"
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <header>
        <h2>{isNew ? say(words.below, { name: String(row.name) }) : String(row.name)}</h2>
        {above.length > 0 && (
          <p className="kit-quiet">
            {say(words.path)} {above.join(' / ')}
          </p>
        )}
      </header>
      {problem && <Alert className="kit-note" type="error" showIcon title={problem} />}
      <EditForm form={form} inputs={inputs} />
      <footer className="kit-drawer-foot">
        {!isNew && may.remove && row.code !== COUNTRY ? (
          <Button
            danger
            icon={<Icon name="delete" />}
            onClick={() => onRemove({ code: String(row.code), name: String(row.name), parentCode })}
          >
            {say(kit.remove)}
          </Button>
        ) : (
          <span />
        )}
        {isNew && <Button onClick={onCancel}>{say(kit.cancel)}</Button>}
        {mayWrite && (
          <Button type="primary" htmlType="submit" loading={isSaving}>
            {say(kit.save)}
          </Button>
        )}
      </footer>
    </form>
  )
}

/** A code begins with its parent's; only the rest is typed. */
function CodeInput({ value, onChange, id, invalid, describedBy, prefix }: InputProps & { prefix: string }) {
  const isRequired = useRequired()
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
