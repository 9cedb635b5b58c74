import { SuggestedTexts } from '#kit/web/parts/suggested-texts.tsx'
import { LineCell, LineInput } from '../plain.web.tsx'
import type { InputProps, WebKind } from '../web-kind.ts'

function TextInput(props: InputProps) {
  const { suggestions, digits } = props.field
  const line = <LineInput {...props} inputMode={digits && 'numeric'} />
  if (!suggestions) return line
  return (
    <>
      <SuggestedTexts
        words={suggestions}
        value={String(props.value ?? '')}
        onChoose={props.onChange}
        disabled={props.disabled}
      />
      {line}
    </>
  )
}

export const textWeb: WebKind = { Cell: LineCell, Input: TextInput, width: 160, drawnAs: 'text' }
