import { SuggestedTexts } from '#kit/web/parts/suggested-texts.tsx'
import { TextLineCell, TextLineInput } from '../plain.web.tsx'
import type { InputProps, WebFieldKind } from '../web-kind.ts'

function TextInput(props: InputProps) {
  const { suggestions, digits } = props.field
  const line = <TextLineInput {...props} inputMode={digits && 'numeric'} />
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

export const textWebKind: WebFieldKind = { Cell: TextLineCell, Input: TextInput, width: 160, drawnAs: 'text' }
