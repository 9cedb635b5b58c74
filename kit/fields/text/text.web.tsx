import { UsualWords } from '#kit/web/parts/usual-words.tsx'
import { LineCell, LineInput } from '../plain.web.tsx'
import type { InputProps, WebKind } from '../web-kind.ts'

function TextInput(props: InputProps) {
  const { usual } = props.field
  if (!usual) return <LineInput {...props} />
  return (
    <>
      <UsualWords words={usual} value={String(props.value ?? '')} onChoose={props.onChange} disabled={props.disabled} />
      <LineInput {...props} />
    </>
  )
}

export const textWeb: WebKind = { Cell: LineCell, Input: TextInput, width: 160, drawnAs: 'text' }
