import { useLayoutEffect, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { useLanguage } from '#kit/web/base/language.tsx'
import { splitLinesIntoPages, type PageLineRange } from './cut-pages.ts'
import { omitEmptyDocumentParts, type DocumentToRender } from './filled.ts'
import type { LaidOutDocuments } from './paper.ts'
import { DocumentEnd, DocumentFacts, DocumentHead, DocumentLinesTable } from './paper-parts.tsx'

/** Pixels kept free per page, as rounding makes printed lines differ from those on screen. */
const SLACK = 4

const heightOf = (element: Element | null) => element?.getBoundingClientRect().height ?? 0

function measure(ruler: HTMLElement): { cuts: PageLineRange[][]; width: number } {
  const pageHeight = heightOf(ruler.querySelector('[data-ruler=room]')) - SLACK
  const cuts = [...ruler.querySelectorAll('[data-ruler=sheet]')].map((sheet) => {
    const part = (name: string) => heightOf(sheet.querySelector(name))
    const heads = part('thead')
    return splitLinesIntoPages({
      room: pageHeight,
      first: part('[data-ruler=first]') + heads,
      next: part('[data-ruler=next]') + heads,
      lines: [...sheet.querySelectorAll('tbody > tr')].map(heightOf),
      end: part('tfoot') + part('[data-ruler=end]'),
    })
  })
  return { cuts, width: ruler.querySelector('.paper-page')?.getBoundingClientRect().width ?? 0 }
}

/**
 * Splits documents into pages: lays them out once out of sight at print width and cuts between lines. Lets each
 * document have its own page numbers ("2 / 3"), which the browser would count over all of them.
 */
export function useDocumentPagination(paper: LaidOutDocuments | undefined): {
  cuts?: PageLineRange[][]
  width: number
  ruler: ReactNode
} {
  const lang = useLanguage()
  const box = useRef<HTMLDivElement>(null)
  const [measured, setMeasured] = useState<{
    of: LaidOutDocuments
    lang: string
    cuts: PageLineRange[][]
    width: number
  }>()
  useLayoutEffect(() => {
    if (paper && box.current) setMeasured({ of: paper, lang, ...measure(box.current) })
  }, [paper, lang])
  const isFresh = measured && measured.of === paper && measured.lang === lang
  return {
    ...(isFresh && { cuts: measured.cuts }),
    width: measured?.width ?? 0,
    ruler: paper && createPortal(<Ruler ref={box} paper={paper} />, document.body),
  }
}

function Ruler({ paper, ref }: { paper: LaidOutDocuments; ref: React.Ref<HTMLDivElement> }) {
  return (
    <div ref={ref} className="paper-ruler" aria-hidden>
      <div className="paper-page" data-paper={paper.layout.paper}>
        <div className="paper-body" data-ruler="room" />
        <div className="paper-foot" />
      </div>
      {paper.sheets.map((one) => (
        <RulerSheet key={one.id} {...omitEmptyDocumentParts(paper.layout, one)} />
      ))}
    </div>
  )
}

function RulerSheet({ layout, sheet }: DocumentToRender) {
  return (
    <div className="paper-page" data-paper={layout.paper} data-ruler="sheet">
      <div data-ruler="first" className="paper-first">
        <DocumentHead layout={layout} sheet={sheet} isFirst />
        <DocumentFacts layout={layout} sheet={sheet} />
      </div>
      <div data-ruler="next" className="paper-first">
        <DocumentHead layout={layout} sheet={sheet} isFirst={false} />
      </div>
      <DocumentLinesTable layout={layout} sheet={sheet} hasSums />
      <div data-ruler="end" className="paper-end">
        <DocumentEnd layout={layout} sheet={sheet} />
      </div>
    </div>
  )
}
