import { LineInput } from '../plain.web.tsx'
import type { CellProps, InputProps, WebKind } from '../web-kind.ts'

const EmailCell = ({ value }: CellProps) => (
  <a
    className="kit-line"
    href={`mailto:${String(value)}`}
    data-tip-cut={String(value)}
    onClick={(event) => event.stopPropagation()}
  >
    {String(value)}
  </a>
)
const EmailInput = (props: InputProps) => <LineInput {...props} inputMode="email" placeholder="name@example.com" />

export const emailWeb: WebKind = { Cell: EmailCell, Input: EmailInput, width: 190, drawnAs: 'text' }
