import { useSay } from '#kit/web/language.tsx'
import type { Paper, Sheet } from './paper.ts'
import { End, useTongue, Value } from './paper-parts.tsx'
import { words } from './print-words.ts'

/** Documents to be read on a phone: what stands on the paper, one below the other. */
export function PaperFlow({ paper }: { paper: Paper }) {
  return paper.sheets.map((sheet) => <FlowSheet key={sheet.id} paper={paper} sheet={sheet} />)
}

function FlowSheet({ paper: { layout }, sheet }: { paper: Paper; sheet: Sheet }) {
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
        {layout.facts.map((field, at) =>
          sheet.facts[at] ? (
            <div key={field.key}>
              <dt>{tell(field.label)}</dt>
              <dd>
                <Value field={field} text={sheet.facts[at]} />
              </dd>
            </div>
          ) : null,
        )}
      </dl>
      <FlowLines layout={layout} sheet={sheet} />
      <End layout={layout} sheet={sheet} />
    </article>
  )
}

function FlowLines({ layout: { columns, language }, sheet }: { layout: Paper['layout']; sheet: Sheet }) {
  const say = useSay()
  const tell = useTongue(language)
  if (!sheet.lines.length) return null
  return (
    <ol aria-label={say(words.lines)}>
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
