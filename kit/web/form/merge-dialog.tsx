import { Modal, Radio } from 'antd'
import { useState } from 'react'
import type { Field, Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf, isBlankWireValue } from '#kit/fields/kinds.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'
import { FieldCell, type CellOverrides } from '../row/field-cell.tsx'
import { changedFormFieldKeys, findEditConflicts, initialFormValues, type UntypedRow } from '../row/form-values.ts'
import { useLocalize } from '../base/language.tsx'
import { words as list } from '../base/list-words.ts'
import { words } from '../base/page-words.ts'

type Props = {
  fields: Fields
  /** The row as it was when editing began. */
  row: UntypedRow
  /** Form values of the fields this user changed; missing fields are unchanged. */
  mine: UntypedRow
  /** The row as it is now. */
  theirs: UntypedRow
  /** Called with this user's values to keep, to be saved over the current row. */
  onMerge: (mine: UntypedRow) => void
  onCancel: () => void
  cells?: CellOverrides
}

/**
 * Dialog after somebody else saved the same row: for every field both changed it shows the old value, theirs and mine,
 * and the user chooses which one stays.
 */
export default function EditConflictDialog({ fields, row, mine, theirs, onMerge, onCancel, cells }: Props) {
  const t = useLocalize()
  const before = initialFormValues(fields, row)
  const values = { ...before, ...mine }
  const clashes = findEditConflicts(fields, before, values, theirs)
  const [choice, setChoice] = useState<Record<string, 'mine' | 'theirs'>>({})
  const params = { user: String(theirs.updateUserName || t(words.someone)), time: String(theirs.updateTime ?? '') }
  const merge = () => {
    const kept = changedFormFieldKeys(fields, before, values).filter((key) => choice[key] !== 'theirs')
    onMerge(Object.fromEntries(kept.map((key) => [key, values[key]])))
  }

  return (
    <Modal
      open
      title={t(words.conflict)}
      width={760}
      onCancel={onCancel}
      onOk={merge}
      okText={t(words.mergeSave)}
      cancelText={t(words.keepEditing)}
      okButtonProps={{ disabled: clashes.some(({ key }) => !choice[key]) }}
    >
      <p>{t(clashes.length ? words.conflictHint : words.conflictMerged, params)}</p>
      {clashes.map(({ key, field }) => (
        <fieldset key={key} className="kit-clash">
          <legend>{t(field.label)}</legend>
          <Side title={t(list.was)}>
            <Stored name={key} field={field} row={row} cells={cells} />
          </Side>
          <Radio.Group
            value={choice[key]}
            onChange={(event) => setChoice({ ...choice, [key]: event.target.value as 'mine' | 'theirs' })}
            options={[
              {
                value: 'mine',
                label: (
                  <Side title={t(words.mine)}>
                    <MyValue name={key} field={field} values={values} row={row} cells={cells} />
                  </Side>
                ),
              },
              {
                value: 'theirs',
                label: (
                  <Side title={t(words.theirs)}>
                    <Stored name={key} field={field} row={theirs} cells={cells} />
                  </Side>
                ),
              },
            ]}
          />
        </fieldset>
      ))}
    </Modal>
  )
}

function Stored({ name, field, row, cells }: { name: string; field: Field; row: UntypedRow; cells?: CellOverrides }) {
  const t = useLocalize()
  return isBlankWireValue(row[name], field) && fieldKindOf(field).emptyAs === undefined ? (
    <span className="kit-quiet">{t(list.nothing)}</span>
  ) : (
    <FieldCell name={name} field={field} row={row} place="card" cells={cells} />
  )
}

/** Value this user entered. Labels of newly chosen references are not in the row, so they are fetched. */
function MyValue({
  name,
  field,
  values,
  row,
  cells,
}: {
  name: string
  field: Field
  values: UntypedRow
  row: UntypedRow
  cells?: CellOverrides
}) {
  const { FilterText } = webFieldKindOf(field)
  const value = values[name]
  if (FilterText && value !== '') return <FilterText field={field} value={String(value)} />
  return <Stored name={name} field={field} row={{ ...row, ...values }} cells={cells} />
}

const Side = ({ title, children }: { title: string; children: React.ReactNode }) => (
  <span className="kit-clash-side">
    <span className="kit-quiet">{title}</span> <span>{children}</span>
  </span>
)
