import type { CellProps } from '#kit/fields/web-kind.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import type { Words } from '#kit/resource/words.ts'
import type { Row } from '#kit/web/form-values.ts'
import { useSay } from '#kit/web/language.tsx'
import { Money } from '#kit/web/money.tsx'
import type { PageParts } from '#kit/web/resource-page.tsx'

const words = { sum: { zh: '本页合计 ', en: 'On this page ' } }

const signed = (value: number, isMoney: boolean) => {
  const sign = value > 0 ? '+' : value < 0 ? '−' : ''
  return <strong className={`kit-number ${value > 0 ? 'kit-yes' : ''}`}>{sign}{isMoney ? <Money value={Math.abs(value).toFixed(2)} /> : Math.abs(value)}</strong>
}

function Sum({ rows, isMoney }: { rows: Row[], isMoney: boolean }) {
  const say = useSay()
  const cents = rows.reduce((sum, row) => sum + Math.round(Number(row.change) * 100), 0)
  return <><span className="kit-quiet">{say(words.sum)}</span>{signed(cents / 100, isMoney)}</>
}

/** How a ledger of an account reads: what came in and went out stands out, and adds up below. */
export const ledgerParts = (resource: Resource<any, any>, intro: Words): PageParts => {
  const isMoney = resource.fields.change.kind === 'money'
  return {
    intro,
    cells: { change: ({ value }: CellProps) => signed(Number(value), isMoney) },
    totals: (rows) => ({ change: <Sum rows={rows} isMoney={isMoney} /> }),
  }
}
