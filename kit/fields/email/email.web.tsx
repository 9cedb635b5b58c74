import { TextLineInput } from '../plain.web.tsx'
import type { CellProps, InputProps, WebFieldKind } from '../web-kind.ts'

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
const EmailInput = (props: InputProps) => <TextLineInput {...props} inputMode="email" placeholder="name@example.com" />

export const emailWebKind: WebFieldKind = { Cell: EmailCell, Input: EmailInput, width: 190, drawnAs: 'text' }
