import { useLocalize } from '#kit/web/language.tsx'
import { filled, type Filled } from './filled.ts'
import type { Paper } from './paper.ts'
import { End, useTongue, Value } from './paper-parts.tsx'
import { words } from './print-words.ts'

/** Documents to be read on a phone: what stands on the paper, one below the other. */
export function PaperFlow({ paper }: { paper: Paper }) {
  return paper.sheets.map((sheet) => <FlowSheet key={sheet.id} {...filled(paper.layout, sheet)} />)
}

function FlowSheet({ layout, sheet }: Filled) {
  const tell = useTongue(layout.language)
  const head = tell(layout.head, '\n')
  return (
    <article className="paper-flow">
      <header>
        <h2>{tell(layout.title)}</h2>
        <p>
          <small>{tell(layout.number)}</small> {sheet.number}
        </p>
        {head && <p className="paper-from">{head}</p>}
      </header>
      <dl>
        {layout.facts.map((field, at) => (
          <div key={field.key}>
            <dt>{tell(field.label)}</dt>
            <dd>
              <Value field={field} text={sheet.facts[at]!} />
            </dd>
          </div>
        ))}
      </dl>
      <FlowLines layout={layout} sheet={sheet} />
      <End layout={layout} sheet={sheet} />
    </article>
  )
}

function FlowLines({ layout: { columns, language }, sheet }: Filled) {
  const t = useLocalize()
  const tell = useTongue(language)
  if (!sheet.lines.length) return null
  return (
    <ol aria-label={t(words.lines)}>
      {sheet.lines.map((texts, at) => (
        <li key={at}>
          {columns.map((field, n) =>
            texts[n] ? (
              <span key={field.key} data-look={field.look}>
                <small>{tell(field.label)}</small> <Value field={field} text={texts[n]} />
              </span>
            ) : null,
          )}
        </li>
      ))}
    </ol>
  )
}
