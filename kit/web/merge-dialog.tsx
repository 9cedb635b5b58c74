import { Modal, Radio } from 'antd'
import { useState } from 'react'
import type { Field } from '#kit/fields/field-kind.ts'
import { webKindOf } from '#kit/fields/web.ts'
import { FieldCell, type Cells } from './field-cell.tsx'
import { conflicts, startValues, type Row } from './form-values.ts'
import { useSay } from './language.tsx'
import { words } from './page-words.ts'
import type { Form } from './use-form.ts'

type Props = { form: Form, theirs: Row, onMerge: (mine: Row) => void, onCancel: () => void, cells?: Cells }

/** Somebody else saved the row meanwhile: for every field both changed the reader says whose value stays. */
export default function MergeDialog({ form, theirs, onMerge, onCancel, cells }: Props) {
  const say = useSay()
  const before = startValues(form.fields, form.row)
  const clashes = conflicts(form.fields, before, form.values, theirs)
  const [choice, setChoice] = useState<Record<string, 'mine' | 'theirs'>>({})
  const params = { user: String(theirs.updateUserName || say(words.someone)), time: String(theirs.updateTime ?? '') }
  const merge = () => {
    const kept = form.changed.filter((key) => choice[key] !== 'theirs')
    onMerge(Object.fromEntries(kept.map((key) => [key, form.values[key]])))
  }
  return (
    <Modal
      open
      title={say(words.conflict)}
      width={680}
      onCancel={onCancel}
      onOk={merge}
      okText={say(words.mergeSave)}
      cancelText={say(words.keepEditing)}
      okButtonProps={{ disabled: clashes.some(({ key }) => !choice[key]) }}
    >
      <p>{say(clashes.length ? words.conflictHint : words.conflictMerged, params)}</p>
      {clashes.map(({ key, field }) => (
        <fieldset key={key} className="kit-clash">
          <legend>{say(field.label)}</legend>
          <Radio.Group
            value={choice[key]}
            onChange={(event) => setChoice({ ...choice, [key]: event.target.value as 'mine' | 'theirs' })}
            options={[
              { value: 'mine', label: <Side title={say(words.mine)}><MyValue form={form} name={key} field={field} cells={cells} /></Side> },
              { value: 'theirs', label: <Side title={say(words.theirs)}><FieldCell name={key} field={field} row={theirs} place="card" cells={cells} /></Side> },
            ]}
          />
        </fieldset>
      ))}
    </Modal>
  )
}

/** What was typed here; names of what was chosen are not in the row and are asked for. */
function MyValue({ form, name, field, cells }: { form: Form, name: string, field: Field, cells?: Cells }) {
  const { FilterText } = webKindOf(field)
  const value = form.values[name]
  if (FilterText && value !== '') return <FilterText field={field} value={String(value)} />
  return <FieldCell name={name} field={field} row={{ ...form.row, ...form.values }} place="card" cells={cells} />
}

const Side = ({ title, children }: { title: string, children: React.ReactNode }) => (
  <span className="kit-clash-side"><span className="kit-quiet">{title}</span> {children}</span>
)
