import type { Cut } from './cut-pages.ts'
import { filled } from './filled.ts'
import type { Paper } from './paper.ts'
import { End, Facts, Head, Lines, useTongue } from './paper-parts.tsx'
import { words } from './print-words.ts'

/** Documents page by page, each beginning on a sheet of its own, head and number on every page. */
export function PaperPages({ paper, cuts }: { paper: Paper; cuts: readonly Cut[][] }) {
  const { sheets, time } = paper
  const tell = useTongue(paper.layout.language)
  return sheets.map((whole, at) => {
    const { layout, sheet } = filled(paper.layout, whole)
    return (cuts[at] ?? []).map(({ from, to }, page, pages) => {
      const isLast = page === pages.length - 1
      return (
        <section key={`${sheet.id}/${page}`} className="paper-page" data-paper={layout.paper}>
          <div className="paper-body">
            <div className="paper-first">
              <Head layout={layout} sheet={sheet} isFirst={page === 0} />
              {page === 0 && <Facts layout={layout} sheet={sheet} />}
            </div>
            {(to > from || isLast) && <Lines layout={layout} sheet={sheet} from={from} to={to} hasSums={isLast} />}
            {isLast && (
              <div className="paper-end">
                <End layout={layout} sheet={sheet} />
              </div>
            )}
          </div>
          <div className="paper-foot">
            <span>
              {tell(words.printed)} {time.slice(0, 16)}
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
