import { useLocalize } from '#kit/web/base/language.tsx'
import { omitEmptyDocumentParts, type DocumentToRender } from './filled.ts'
import type { LaidOutDocuments } from './paper.ts'
import { DocumentEnd, useDocumentText, DocumentFieldValue } from './paper-parts.tsx'
import { words } from './print-words.ts'

/** Shows documents on a phone, their parts one below the other. */
export function DocumentsOnPhone({ paper }: { paper: LaidOutDocuments }) {
  return paper.sheets.map((sheet) => <FlowSheet key={sheet.id} {...omitEmptyDocumentParts(paper.layout, sheet)} />)
}

function FlowSheet({ layout, sheet }: DocumentToRender) {
  const localize = useDocumentText(layout.language)
  const head = localize(layout.head, '\n')
  return (
    <article className="paper-flow">
      <header>
        <h2>{localize(layout.title)}</h2>
        <p>
          <small>{localize(layout.number)}</small> {sheet.number}
        </p>
        {head && <p className="paper-from">{head}</p>}
      </header>
      <dl>
        {layout.facts.map((field, at) => (
          <div key={field.key}>
            <dt>{localize(field.label)}</dt>
            <dd>
              <DocumentFieldValue field={field} text={sheet.facts[at]!} />
            </dd>
          </div>
        ))}
      </dl>
      <FlowLines layout={layout} sheet={sheet} />
      <DocumentEnd layout={layout} sheet={sheet} />
    </article>
  )
}

function FlowLines({ layout: { columns, language }, sheet }: DocumentToRender) {
  const t = useLocalize()
  const localize = useDocumentText(language)
  if (!sheet.lines.length) return null
  return (
    <ol aria-label={t(words.lines)}>
      {sheet.lines.map((texts, at) => (
        <li key={at}>
          {columns.map((field, n) =>
            texts[n] ? (
              <span key={field.key} data-look={field.look}>
                <small>{localize(field.label)}</small> <DocumentFieldValue field={field} text={texts[n]} />
              </span>
            ) : null,
          )}
        </li>
      ))}
    </ol>
  )
}
