import { lazy } from 'react'
import { TextLineCell } from '../plain.web.tsx'
import type { CellProps, WebFieldKind } from '../web-kind.ts'

const CleanHtml = lazy(() => import('./clean-html.web.tsx'))

/** Returns the text of some HTML in one line. Parses it as a document of its own, in which nothing loads or runs. */
const plain = (html: string) =>
  new DOMParser()
    .parseFromString(html.replace(/<(br|\/p|\/h\d|\/li|\/div)\b/gi, ' <$1'), 'text/html')
    .body.textContent.replace(/\s+/g, ' ')
    .trim()

function RichTextCell({ value, place }: CellProps) {
  if (place === 'detail') return <CleanHtml html={String(value)} />
  return <TextLineCell value={plain(String(value))} place={place} />
}

export const richTextWebKind: WebFieldKind = {
  Cell: RichTextCell,
  Input: lazy(() => import('./rich-text-input.web.tsx')),
  width: 220,
  wide: true,
}
