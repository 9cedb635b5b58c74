import { TextLineInput } from '../plain.web.tsx'
import type { CellProps, InputProps, WebFieldKind } from '../web-kind.ts'

function UrlCell({ value, place }: CellProps) {
  const text = String(value)
  // Stored addresses were checked; checked again so that a javascript: address can never become a link.
  if (!/^https?:\/\//i.test(text)) return <span>{text}</span>
  return (
    <a
      className={place === 'detail' ? 'kit-wrap' : 'kit-line'}
      href={text}
      target="_blank"
      rel="noopener noreferrer"
      data-tip-cut={text}
      onClick={(event) => event.stopPropagation()}
    >
      {text.replace(/^https?:\/\//i, '')}
    </a>
  )
}

const UrlInput = (props: InputProps) => <TextLineInput {...props} inputMode="url" placeholder="https://" />

export const urlWebKind: WebFieldKind = { Cell: UrlCell, Input: UrlInput, width: 200, drawnAs: 'text' }
