import type { Field, Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf, isBlankWireValue } from '#kit/fields/kinds.ts'
import { FieldCell, type CellOverrides } from './field-cell.tsx'
import type { UntypedRow } from './form-values.ts'
import { useLocalize } from '../base/language.tsx'
import { words } from '../base/list-words.ts'
import './list-work.css'

/** Table of the fields that differ between two versions of a row, with the old and the new value of each. */
export function FieldChanges({
  fields,
  keys,
  was,
  now,
  hidden = [],
  cells,
}: {
  fields: Fields
  keys: string[]
  was: UntypedRow
  now: UntypedRow
  hidden?: string[]
  cells?: CellOverrides
}) {
  const t = useLocalize()
  return (
    <ul className="kit-changes">
      {keys
        .filter((key) => fields[key])
        .map((key) => (
          <li key={key}>
            <span className="kit-quiet">{t(fields[key]!.label)}</span>
            <span className="kit-change-was">
              <Side name={key} field={fields[key]!} row={was} cells={cells} />
            </span>
            <span aria-hidden className="kit-quiet">
              →
            </span>
            <span className="kit-change-now">
              <Side name={key} field={fields[key]!} row={now} cells={cells} />
            </span>
          </li>
        ))}
      {hidden
        .filter((key) => fields[key])
        .map((key) => (
          <li key={key}>
            <span className="kit-quiet">{t(fields[key]!.label)}</span>
            <span className="kit-change-now">{t(words.secretChanged)}</span>
          </li>
        ))}
    </ul>
  )
}

function Side({ name, field, row, cells }: { name: string; field: Field; row: UntypedRow; cells?: CellOverrides }) {
  const t = useLocalize()
  if (isBlankWireValue(row[name], field) && fieldKindOf(field).emptyAs === undefined)
    return <span className="kit-quiet">{t(words.nothing)}</span>
  return <FieldCell name={name} field={field} row={row} place="card" cells={cells} />
}
