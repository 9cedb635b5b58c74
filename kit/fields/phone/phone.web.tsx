import { TextLineInput } from '../plain.web.tsx'
import type { CellProps, InputProps, WebFieldKind } from '../web-kind.ts'

function PhoneCell({ value }: CellProps) {
  const text = String(value)
  return text.includes('*') ? (
    <span className="kit-number">{text}</span>
  ) : (
    <a className="kit-number" href={`tel:${text}`} onClick={(event) => event.stopPropagation()}>
      {text}
    </a>
  )
}

const PhoneInput = (props: InputProps) => (
  <TextLineInput {...props} inputMode="tel" onChange={(value) => props.onChange(String(value).replace(/\s/g, ''))} />
)

export const phoneWebKind: WebFieldKind = { Cell: PhoneCell, Input: PhoneInput, width: 130, drawnAs: 'text' }
