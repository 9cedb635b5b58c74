import { formatAmount } from '#kit/fields/money/cents.ts'
import type { LocalizedText } from '#kit/base/localized-text.ts'
import { useLanguage } from '#kit/web/base/language.tsx'
import type { DocumentLanguage } from './dictionaries.ts'
import type { DocumentToRender } from './filled.ts'
import type { DocumentField } from './paper.ts'
import { words } from './print-words.ts'

/** Returns a function that gives texts in the document's language; for both languages, Chinese first. */
export function useDocumentText(language: DocumentLanguage): (localized: LocalizedText, between?: string) => string {
  const lang = useLanguage()
  if (language !== 'both') return (localized) => localized[language === 'reader' ? lang : language]
  return ({ zh, en }, between = ' ') => [...new Set([zh, en])].join(between)
}

export function DocumentFieldValue({ field, text }: { field: DocumentField; text: string }) {
  if (field.look === 'amount') return <>{text && formatAmount(text)}</>
  if (field.look !== 'pictures') return <>{text}</>
  return (
    <span className="paper-pictures">
      {text
        .split(',')
        .filter(Boolean)
        .map((link) => (
          <img key={link} src={link} alt="" />
        ))}
    </span>
  )
}

/** Logo, title and number of a page; on the first one the sender below the title. */
export function DocumentHead({ layout, sheet, isFirst }: DocumentToRender & { isFirst: boolean }) {
  const localize = useDocumentText(layout.language)
  const { title, head, logo, number } = layout
  const from = localize(head, '\n')
  return (
    <header className="paper-head">
      <span className="paper-logo">{logo && <img src={logo} alt="" />}</span>
      <span className="paper-title">
        <strong>{localize(title)}</strong>
        {isFirst && from && <span className="paper-from">{from}</span>}
      </span>
      <span className="paper-no">
        <small>{localize(number)}</small>
        <span>{sheet.number}</span>
      </span>
    </header>
  )
}

const LONG = 36
const isLong = (field: DocumentField, text: string) => field.look === 'pictures' || [...text].length > LONG

export function DocumentFacts({ layout, sheet }: DocumentToRender) {
  const localize = useDocumentText(layout.language)
  if (!layout.facts.length) return null
  return (
    <dl className="paper-facts">
      {layout.facts.map((field, at) => (
        <div key={field.key} data-wide={isLong(field, sheet.facts[at]!)}>
          <dt>{localize(field.label)}</dt>
          <dd>
            <DocumentFieldValue field={field} text={sheet.facts[at]!} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

const USUAL_WIDTH = 110
const widthOf = ({ width = USUAL_WIDTH }: DocumentField) => width
const NUMBER_WIDTH = 36

type TableProps = DocumentToRender & { from?: number; to?: number; hasSums: boolean }

/** Table of a document's lines `from` up to `to`, with column heads. */
export function DocumentLinesTable({ layout, sheet, from = 0, to = sheet.lines.length, hasSums }: TableProps) {
  const localize = useDocumentText(layout.language)
  const { columns } = layout
  if (!columns.length) return null
  const whole = columns.reduce((sum, field) => sum + widthOf(field), NUMBER_WIDTH)
  const share = (width: number) => ({ width: `${((width / whole) * 100).toFixed(2)}%` })
  return (
    <table className="paper-lines">
      <colgroup>
        <col style={share(NUMBER_WIDTH)} />
        {columns.map((field) => (
          <col key={field.key} style={share(widthOf(field))} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <th scope="col">#</th>
          {columns.map((field) => (
            <th key={field.key} scope="col" data-look={field.look}>
              {localize(field.label)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sheet.lines.slice(from, to).map((texts, at) => (
          <tr key={from + at}>
            <td>{from + at + 1}</td>
            {columns.map((field, n) => (
              <td key={field.key} data-look={field.look}>
                <DocumentFieldValue field={field} text={texts[n]!} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
      {hasSums && <Sums layout={layout} sheet={sheet} />}
    </table>
  )
}

function Sums({ layout, sheet }: DocumentToRender) {
  const localize = useDocumentText(layout.language)
  if (!sheet.sums.some(Boolean)) return null
  // The label "sum" spans the columns before the first sum.
  const before = sheet.sums.findIndex(Boolean)
  return (
    <tfoot>
      <tr>
        <th scope="row" colSpan={before + 1}>
          {localize(words.sum)}
        </th>
        {layout.columns.slice(before).map((field, at) => (
          <td key={field.key} data-look={field.look}>
            <DocumentFieldValue field={field} text={sheet.sums[before + at]!} />
          </td>
        ))}
      </tr>
    </tfoot>
  )
}

/** The part after the lines: totals, signatures, the tenant's footer. */
export function DocumentEnd({ layout, sheet }: DocumentToRender) {
  const localize = useDocumentText(layout.language)
  const footer = localize(layout.footer, '\n')
  return (
    <>
      {sheet.isPartial && <p className="paper-note">{localize(words.partial)}</p>}
      {layout.totals.length > 0 && (
        <dl className="paper-totals">
          {layout.totals.map((field, at) => (
            <div key={field.key}>
              <dt>{localize(field.label)}</dt>
              <dd>
                {field.look === 'amount' && sheet.totals[at] && '¥'}
                <DocumentFieldValue field={field} text={sheet.totals[at]!} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {layout.signs.length > 0 && (
        <div className="paper-signs">
          {layout.signs.map((sign, at) => (
            <span key={at}>{localize(sign)}</span>
          ))}
        </div>
      )}
      {footer && <p className="paper-footer">{footer}</p>}
    </>
  )
}
