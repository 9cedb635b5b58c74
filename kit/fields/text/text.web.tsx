import { UsualWords } from '#kit/web/parts/usual-words.tsx'
import { LineCell, LineInput } from '../plain.web.tsx'
import type { InputProps, WebKind } from '../web-kind.ts'

function TextInput(props: InputProps) {
  const { usual, digits } = props.field
  const line = <LineInput {...props} inputMode={digits && 'numeric'} />
  if (!usual) return line
  return (
    <>
      <UsualWords words={usual} value={String(props.value ?? '')} onChoose={props.onChange} disabled={props.disabled} />
      {line}
    </>
  )
}

export const textWeb: WebKind = { Cell: LineCell, Input: TextInput, width: 160, drawnAs: 'text' }
