import { Button, Checkbox, Input, Select } from 'antd'
import { useSay } from '#kit/web/language.tsx'
import { Drawer } from '#kit/web/parts/drawer.tsx'
import { INPUTS, type FlowForm, type FormField } from './forms.ts'
import { words } from './design-words.ts'

type Props = { forms: FlowForm[]; onChange: (forms: FlowForm[]) => void; onClose: () => void }

const put = <T,>(list: readonly T[], at: number, one: T): T[] => list.map((old, n) => (n === at ? one : old))
const without = <T,>(list: readonly T[], at: number): T[] => list.filter((_one, n) => n !== at)
function swapped<T>(list: readonly T[], at: number, to: number): T[] {
  const next = [...list]
  const [one] = next.splice(at, 1)
  next.splice(to, 0, one!)
  return next
}

/** The forms of a process: what is asked when it starts and at its tasks, out of the kit's kinds. */
export default function FormDesigner({ forms, onChange, onClose }: Props) {
  const say = useSay()
  const add = () =>
    onChange([...forms, { key: `form${forms.length + 1}`, label: { zh: '表单', en: 'Form' }, fields: [] }])
  return (
    <Drawer
      open
      title={say(words.forms)}
      size={920}
      onClose={onClose}
      extra={<Button onClick={add}>{say(words.newForm)}</Button>}
    >
      {!forms.length && <p className="kit-quiet">{say(words.noForms)}</p>}
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

type CardProps = { form: FlowForm; onChange: (form: FlowForm) => void; onRemove: () => void }

function FormCard({ form, onChange, onRemove }: CardProps) {
  const say = useSay()
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
          aria-label={say(words.formKey)}
          value={form.key}
          onChange={(event) => onChange({ ...form, key: event.target.value })}
        />
        <Input
          aria-label={say(words.labelZh)}
          value={form.label.zh}
          onChange={(event) => label('zh', event.target.value)}
        />
        <Input
          aria-label={say(words.labelEn)}
          value={form.label.en}
          onChange={(event) => label('en', event.target.value)}
        />
        <Button danger type="text" onClick={onRemove}>
          {say(words.remove)}
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
        {say(words.addField)}
      </Button>
    </section>
  )
}

type RowProps = {
  field: FormField
  onChange: (field: FormField) => void
  onRemove: () => void
  onUp?: () => void
}

function FieldRow({ field, onChange, onRemove, onUp }: RowProps) {
  const say = useSay()
  const label = (lang: 'zh' | 'en', text: string) => onChange({ ...field, label: { ...field.label, [lang]: text } })
  return (
    <div className="flow-form-field">
      <Input
        aria-label={say(words.fieldName)}
        placeholder={say(words.fieldName)}
        value={field.name}
        onChange={(event) => onChange({ ...field, name: event.target.value.trim() })}
      />
      <Input
        aria-label={say(words.labelZh)}
        placeholder={say(words.labelZh)}
        value={field.label.zh}
        onChange={(event) => label('zh', event.target.value)}
      />
      <Input
        aria-label={say(words.labelEn)}
        placeholder={say(words.labelEn)}
        value={field.label.en}
        onChange={(event) => label('en', event.target.value)}
      />
      <Select
        aria-label={say(words.kind)}
        value={field.input}
        onChange={(input) => onChange({ ...field, input })}
        options={INPUTS.map((value) => ({ value, label: say(words[`input_${value}`]) }))}
      />
      {field.input === 'dict' && (
        <Input
          aria-label={say(words.dict)}
          placeholder={say(words.dict)}
          value={field.dict ?? ''}
          onChange={(event) => onChange({ ...field, dict: event.target.value.trim() })}
        />
      )}
      <Checkbox checked={!!field.required} onChange={(event) => onChange({ ...field, required: event.target.checked })}>
        {say(words.required)}
      </Checkbox>
      <span>
        <Button type="text" disabled={!onUp} onClick={onUp}>
          {say(words.up)}
        </Button>
        <Button danger type="text" onClick={onRemove}>
          {say(words.remove)}
        </Button>
      </span>
    </div>
  )
}
