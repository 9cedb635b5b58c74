import { wireYuanToCents, formatYuan } from '#kit/fields/money/cents.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import type { CellProps } from '#kit/fields/web-kind.ts'
import type { Field } from '#kit/fields/base/field-kind.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { sumCentsOfColumn } from '#kit/web/row/money-totals.tsx'
import { Money } from '#kit/web/parts/money.tsx'

/** Shows a change with its sign. Points arrive in hundredths, like cents, so that one sum works for both. */
const signed = (cents: number, isMoney: boolean) => {
  const sign = cents > 0 ? '+' : cents < 0 ? '−' : ''
  return (
    <strong className={`kit-number ${cents > 0 ? 'kit-yes' : ''}`}>
      {sign}
      {isMoney ? <Money value={formatYuan(Math.abs(cents))} /> : Math.abs(cents) / 100}
    </strong>
  )
}

/** Page parts of an account log: changes with their sign, and their total below. */
export const createAccountLogPageParts = (resource: { fields: { change: Field } }, intro: LocalizedText) => {
  const isMoney = !!fieldKindOf(resource.fields.change).currency
  return {
    intro,
    cells: { change: ({ value }: CellProps) => signed(wireYuanToCents(value), isMoney) },
    totals: (rows: readonly { change: unknown }[]) => ({ change: signed(sumCentsOfColumn(rows, 'change'), isMoney) }),
  }
}
