import type { PageLineRange } from './cut-pages.ts'
import { omitEmptyDocumentParts } from './filled.ts'
import type { LaidOutDocuments } from './paper.ts'
import { DocumentEnd, DocumentFacts, DocumentHead, DocumentLinesTable, useDocumentText } from './paper-parts.tsx'
import { words } from './print-words.ts'

/** Shows documents page by page. Each begins on a new sheet and has its head and number on every page. */
export function DocumentPages({ paper, cuts }: { paper: LaidOutDocuments; cuts: readonly PageLineRange[][] }) {
  const { sheets, time } = paper
  const localize = useDocumentText(paper.layout.language)
  return sheets.map((whole, at) => {
    const { layout, sheet } = omitEmptyDocumentParts(paper.layout, whole)
    return (cuts[at] ?? []).map(({ from, to }, page, pages) => {
      const isLast = page === pages.length - 1
      return (
        <section key={`${sheet.id}/${page}`} className="paper-page" data-paper={layout.paper}>
          <div className="paper-body">
            <div className="paper-first">
              <DocumentHead layout={layout} sheet={sheet} isFirst={page === 0} />
              {page === 0 && <DocumentFacts layout={layout} sheet={sheet} />}
            </div>
            {(to > from || isLast) && (
              <DocumentLinesTable layout={layout} sheet={sheet} from={from} to={to} hasSums={isLast} />
            )}
            {isLast && (
              <div className="paper-end">
                <DocumentEnd layout={layout} sheet={sheet} />
              </div>
            )}
          </div>
          <div className="paper-foot">
            <span>
              {localize(words.printed)} {time.slice(0, 16)}
            </span>
            <span>
              {page + 1} / {pages.length}
            </span>
          </div>
        </section>
      )
    })
  })
}
