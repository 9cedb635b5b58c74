import { useQuery } from '@tanstack/react-query'
import { AutoComplete, Button, Checkbox, Input, Select } from 'antd'
import { useId, type ReactNode } from 'react'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'
import { apiGet } from '#kit/web/http/http.ts'
import { useLanguage, useLocalize } from '#kit/web/base/language.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import type { ProposedDictionaryEntry } from './columns.ts'
import { model, modelPrototype } from './model.resource.ts'
import type { ModelColumn } from './part.ts'
import type { ModelColumnErrors } from './use-columns.ts'

const words = {
  choices: { zh: '字典项', en: 'Dictionary entries' },
  key: { zh: '键', en: 'Key' },
  zh: { zh: '中文', en: 'Chinese' },
  en: { zh: '英文', en: 'English' },
  addChoice: { zh: '添加一项', en: 'Add entry' },
  dropChoice: { zh: '去掉这一项', en: 'Remove entry' },
  family: { zh: '引用哪个业务', en: 'Referenced data' },
  dictionary: { zh: '留空则生成新字典', en: 'Leave blank to generate a new dictionary' },
}

type Surroundings = {
  families: { name: string; label: string }[]
  dictionaries: { code: string; label: string }[]
  menus: { code: string; label: string }[]
  modules: { name: string; label: string; folder: string }[]
}

/** Loads the existing resources, dictionaries, menus and modules, to choose from in a design. */
export function useGeneratorChoices() {
  const language = useLanguage()
  const { data } = useQuery({
    queryKey: ['develop', 'surroundings', language],
    queryFn: ({ signal }) => apiGet<Surroundings>(`${model.path}/surroundings`, undefined, { quiet: true, signal }),
    staleTime: Infinity,
  })
  return data ?? { families: [], dictionaries: [], menus: [], modules: [] }
}

type Props = { part: ModelColumn; errors: ModelColumnErrors['fields']; onChange: (patch: Partial<ModelColumn>) => void }
type Key = Extract<keyof typeof modelPrototype.fields, keyof ModelColumn>

const NAMES: Key[] = ['labelZh', 'labelEn', 'propertyName', 'fieldKind']
const FLAGS: Key[] = ['isRequired', 'isList', 'isForm', 'isQuery', 'isRow']
const BY_KIND: Partial<Record<ModelColumn['fieldKind'], Key[]>> = {
  text: ['columnLength', 'defaultValue'],
  longText: ['columnLength'],
  number: ['columnScale', 'defaultValue'],
  money: ['defaultValue'],
  percent: ['defaultValue'],
  boolean: ['defaultValue'],
  dict: ['defaultValue'],
}

/** Form of one column: its names, the kind of field it becomes, where it is shown. */
export function ModelColumnForm({ part, errors, onChange }: Props) {
  const t = useLocalize()
  const make = part.fieldKind
  const keys: Key[] = [
    ...NAMES,
    ...(BY_KIND[make] ?? []),
    ...(Number(part.isQuery) === 1 ? (['queryType'] as const) : []),
    'uniqueGroup',
    'jdbcName',
    'jdbcType',
  ]
  return (
    <div className="kit-form develop-column">
      <div className="kit-form-grid">
        {keys.map((key) => (
          <One key={key} name={key} part={part} errors={errors} onChange={onChange} />
        ))}
        {make === 'ref' && <ReferencedResource part={part} errors={errors} onChange={onChange} />}
        {make === 'dict' && <Dictionary part={part} errors={errors} onChange={onChange} />}
      </div>
      <div className="develop-flags">
        {FLAGS.map((key) => (
          <Checkbox
            key={key}
            checked={Number(part[key]) === 1}
            onChange={(event) => onChange({ [key]: event.target.checked ? 1 : 0 })}
          >
            {t(modelPrototype.fields[key].label)}
          </Checkbox>
        ))}
      </div>
      {make === 'dict' && <Choices list={part.options} onChange={(options) => onChange({ options })} />}
    </div>
  )
}

function One({ name, part, errors, onChange }: Props & { name: Key }) {
  const id = useId()
  const field: Field = modelPrototype.fields[name]
  const { Input: Own } = webFieldKindOf(field)
  return (
    <Labelled id={id} label={useLocalize()(field.label)} error={errors[name]}>
      <Own
        id={id}
        name={name}
        field={field}
        value={part[name]}
        values={part}
        onChange={(value) => onChange({ [name]: value })}
        disabled={false}
        invalid={!!errors[name]}
        describedBy={errors[name] && `${id}-error`}
      />
    </Labelled>
  )
}

type LabelledProps = { id: string; label: string; help?: string; error?: string; children: ReactNode }

function Labelled({ id, label, help, error, children }: LabelledProps) {
  return (
    <div className={error ? 'kit-field kit-field-bad' : 'kit-field'}>
      <label htmlFor={id}>{label}</label>
      {children}
      {help && <div className="kit-help">{help}</div>}
      {error && (
        <div id={`${id}-error`} className="kit-error" role="alert">
          {error}
        </div>
      )}
    </div>
  )
}

function ReferencedResource({ part, errors, onChange }: Props) {
  const id = useId()
  const t = useLocalize()
  const { families } = useGeneratorChoices()
  return (
    <Labelled id={id} label={t(words.family)} help={part.refTable} error={errors.refTo}>
      <Select
        id={id}
        className="kit-fill"
        value={part.refTo || null}
        onChange={(refTo) => onChange({ refTo: refTo ?? '' })}
        options={families.map(({ name, label }) => ({ value: name, label: `${label} · ${name}` }))}
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
      />
    </Labelled>
  )
}

function Dictionary({ part, errors, onChange }: Props) {
  const id = useId()
  const t = useLocalize()
  const { dictionaries } = useGeneratorChoices()
  return (
    <Labelled
      id={id}
      label={t(modelPrototype.fields.dictCode.label)}
      help={t(words.dictionary)}
      error={errors.dictCode}
    >
      <AutoComplete
        id={id}
        className="kit-fill"
        value={part.dictCode}
        onChange={(dictCode) => onChange({ dictCode: dictCode ?? '' })}
        options={dictionaries.map(({ code, label }) => ({ value: code, label: `${label} · ${code}` }))}
        showSearch={{
          filterOption: (text, option) => String(option?.label).toLowerCase().includes(text.toLowerCase()),
        }}
        allowClear
      />
    </Labelled>
  )
}

/** Edits the entries of a dictionary that is generated with the resource. */
function Choices({
  list,
  onChange,
}: {
  list: readonly ProposedDictionaryEntry[]
  onChange: (list: ProposedDictionaryEntry[]) => void
}) {
  const t = useLocalize()
  const set = (at: number, patch: Partial<ProposedDictionaryEntry>) =>
    onChange(list.map((one, place) => (place === at ? { ...one, ...patch } : one)))
  return (
    <fieldset className="develop-choices">
      <legend>{t(words.choices)}</legend>
      {list.map((one, at) => (
        // Keyed by index: the entries' own keys change while they are typed.
        <div key={at} className="develop-choice">
          {(['key', 'zh', 'en'] as const).map((part) => (
            <Input
              key={part}
              value={one[part]}
              placeholder={t(words[part])}
              aria-label={`${t(words.choices)} ${at + 1}: ${t(words[part])}`}
              onChange={(event) => set(at, { [part]: event.target.value })}
            />
          ))}
          <Button
            type="text"
            icon={<Icon name="close" />}
            aria-label={t(words.dropChoice)}
            onClick={() => onChange(list.filter((_one, place) => place !== at))}
          />
        </div>
      ))}
      <Button
        size="small"
        icon={<Icon name="plus" />}
        onClick={() => onChange([...list, { key: String(list.length + 1), zh: '', en: '' }])}
      >
        {t(words.addChoice)}
      </Button>
    </fieldset>
  )
}
