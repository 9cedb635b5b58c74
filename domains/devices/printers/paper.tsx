import type { CSSProperties } from 'react'
import { useLocalize } from '#kit/web/base/language.tsx'
import { layOutPrintParts, type PrintPart, type LaidOutPrintPart } from './receipt.ts'
import './printing.css'

const words = { paper: { zh: '纸面预览', en: 'Print preview' } }

/** Gives characters outside ASCII the width of two cells, as printers do, whatever the screen's font does. */
const cells = (line: string) =>
  (line.match(/[\u0020-\u007e]+|[^\u0020-\u007e]/gu) ?? []).map((run, at) =>
    run.charCodeAt(0) < 0x80 ? (
      run
    ) : (
      <i key={at} className="paper-wide">
        {run}
      </i>
    ),
  )

function PaperPiece({ piece }: { piece: LaidOutPrintPart }) {
  if (piece.t === 'cut') return <hr className="paper-cut" />
  if (piece.t !== 'lines')
    return (
      <figure className="paper-code" data-kind={piece.t}>
        <span aria-hidden />
        <figcaption>{piece.v}</figcaption>
      </figure>
    )
  const { lines, align, w, h, bold } = piece
  return (
    <div className="paper-lines" data-bold={bold} style={{ '--w': w, '--h': h, textAlign: align } as CSSProperties}>
      {lines.map((line, at) => (
        <div key={at} className="paper-line">
          <span>{line ? cells(line) : '\u00a0'}</span>
        </div>
      ))}
    </div>
  )
}

/** Shows a receipt or label as it will be printed, with the same width and line breaks. */
export function PrintPreview({ parts, columns }: { parts: readonly PrintPart[]; columns: number }) {
  const t = useLocalize()
  return (
    <section className="paper-desk" aria-label={t(words.paper)}>
      <h3>{t(words.paper)}</h3>
      <div className="paper" style={{ '--columns': columns } as CSSProperties}>
        {layOutPrintParts(parts, columns).map((piece, at) => (
          <PaperPiece key={at} piece={piece} />
        ))}
      </div>
    </section>
  )
}
