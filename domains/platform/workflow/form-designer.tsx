import { Button, Checkbox, Input, Select } from 'antd'
import { useLocalize } from '#kit/web/base/language.tsx'
import { Drawer } from '#kit/web/parts/drawer.tsx'
import { PROCESS_FORM_INPUT_KINDS, type ProcessForm, type ProcessFormField } from './forms.ts'
import { words } from './design-words.ts'

type Props = { forms: ProcessForm[]; onChange: (forms: ProcessForm[]) => void; onClose: () => void }

const put = <T,>(list: readonly T[], at: number, one: T): T[] => list.map((old, n) => (n === at ? one : old))
const without = <T,>(list: readonly T[], at: number): T[] => list.filter((_one, n) => n !== at)
function swapped<T>(list: readonly T[], at: number, to: number): T[] {
  const next = [...list]
  const [one] = next.splice(at, 1)
  next.splice(to, 0, one!)
  return next
}

/** Edits the forms of a process, for its start and its tasks. */
export default function FormDesigner({ forms, onChange, onClose }: Props) {
  const t = useLocalize()
  const add = () =>
    onChange([...forms, { key: `form${forms.length + 1}`, label: { zh: '表单', en: 'Form' }, fields: [] }])
  return (
    <Drawer
      open
      title={t(words.forms)}
      size={920}
      onClose={onClose}
      extra={<Button onClick={add}>{t(words.newForm)}</Button>}
    >
      {!forms.length && <p className="kit-quiet">{t(words.noForms)}</p>}
      {forms.map((form, at) => (
        <FormCard
          key={at}
          form={form}
          onChange={(next) => onChange(put(forms, at, next))}
          onRemove={() => onChange(without(forms, at))}
        />
      ))}
    </Drawer>
  )
}

type CardProps = { form: ProcessForm; onChange: (form: ProcessForm) => void; onRemove: () => void }

function FormCard({ form, onChange, onRemove }: CardProps) {
  const t = useLocalize()
  const { fields } = form
  const add = () =>
    onChange({
      ...form,
      fields: [...fields, { name: `field${fields.length + 1}`, label: { zh: '', en: '' }, input: 'text' }],
    })
  const label = (lang: 'zh' | 'en', text: string) => onChange({ ...form, label: { ...form.label, [lang]: text } })

  return (
    <section className="flow-form-card">
      <div className="flow-form-row">
        <Input
          aria-label={t(words.formKey)}
          value={form.key}
          onChange={(event) => onChange({ ...form, key: event.target.value })}
        />
        <Input
          aria-label={t(words.labelZh)}
          value={form.label.zh}
          onChange={(event) => label('zh', event.target.value)}
        />
        <Input
          aria-label={t(words.labelEn)}
          value={form.label.en}
          onChange={(event) => label('en', event.target.value)}
        />
        <Button danger type="text" onClick={onRemove}>
          {t(words.remove)}
        </Button>
      </div>
      {fields.map((field, at) => (
        <FieldRow
          key={at}
          field={field}
          onChange={(next) => onChange({ ...form, fields: put(fields, at, next) })}
          onRemove={() => onChange({ ...form, fields: without(fields, at) })}
          onUp={at ? () => onChange({ ...form, fields: swapped(fields, at, at - 1) }) : undefined}
        />
      ))}
      <Button type="dashed" block onClick={add}>
        {t(words.addField)}
      </Button>
    </section>
  )
}

type RowProps = {
  field: ProcessFormField
  onChange: (field: ProcessFormField) => void
  onRemove: () => void
  onUp?: () => void
}

function FieldRow({ field, onChange, onRemove, onUp }: RowProps) {
  const t = useLocalize()
  const label = (lang: 'zh' | 'en', text: string) => onChange({ ...field, label: { ...field.label, [lang]: text } })

  return (
    <div className="flow-form-field">
      <Input
        aria-label={t(words.fieldName)}
        placeholder={t(words.fieldName)}
        value={field.name}
        onChange={(event) => onChange({ ...field, name: event.target.value.trim() })}
      />
      <Input
        aria-label={t(words.labelZh)}
        placeholder={t(words.labelZh)}
        value={field.label.zh}
        onChange={(event) => label('zh', event.target.value)}
      />
      <Input
        aria-label={t(words.labelEn)}
        placeholder={t(words.labelEn)}
        value={field.label.en}
        onChange={(event) => label('en', event.target.value)}
      />
      <Select
        aria-label={t(words.kind)}
        value={field.input}
        onChange={(input) => onChange({ ...field, input })}
        options={PROCESS_FORM_INPUT_KINDS.map((value) => ({ value, label: t(words[`input_${value}`]) }))}
      />
      {field.input === 'dict' && (
        <Input
          aria-label={t(words.dict)}
          placeholder={t(words.dict)}
          value={field.dict ?? ''}
          onChange={(event) => onChange({ ...field, dict: event.target.value.trim() })}
        />
      )}
      <Checkbox checked={!!field.required} onChange={(event) => onChange({ ...field, required: event.target.checked })}>
        {t(words.required)}
      </Checkbox>
      <span>
        <Button type="text" disabled={!onUp} onClick={onUp}>
          {t(words.up)}
        </Button>
        <Button danger type="text" onClick={onRemove}>
          {t(words.remove)}
        </Button>
      </span>
    </div>
  )
}
