import { isBlankWireValue } from '#kit/fields/kinds.ts'
import '../parts/tips.ts'
import { Suspense } from 'react'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { webFieldKindOf } from '#kit/fields/web.ts'
import type { CellPlacement, CellProps } from '#kit/fields/web-kind.ts'
import type { UntypedRow } from './form-values.ts'
import { useLocalize, type LocalizedText } from '../base/language.tsx'

export type CellOverride<R extends object = UntypedRow> = (props: CellProps<R>) => React.ReactNode
export type CellOverrides<R extends object = UntypedRow> = Record<string, CellOverride<R>>

/** Shows one field of a row as its kind draws it, or a dash if it is empty. */
export function FieldCell({
  name,
  field,
  row,
  place,
  cells,
}: {
  name: string
  field: Field
  row: UntypedRow
  place: CellPlacement
  cells?: CellOverrides
}) {
  const value = row[name]
  const own = cells?.[name]
  if (own) return <>{own({ name, field, value, row, place })}</>
  const kind = webFieldKindOf(field)
  if ((field.emptyLabel || !kind.drawsBlank) && isBlankWireValue(value, field))
    return <Blank means={field.emptyLabel} />
  return (
    <Suspense fallback={<span className="kit-skeleton" />}>
      <kind.Cell name={name} field={field} value={value} row={row} place={place} />
    </Suspense>
  )
}

function Blank({ means }: { means?: LocalizedText }) {
  const t = useLocalize()
  return <span className="kit-quiet">{means ? t(means) : '—'}</span>
}
