import { Input } from 'antd'
import { characterCountConfig, TextLineCell } from '../plain.web.tsx'
import { useAriaRequired } from '../../web/base/required.ts'
import type { InputProps, WebFieldKind } from '../web-kind.ts'

function LongTextInput({ field, value, onChange, id, disabled, invalid, describedBy }: InputProps) {
  const isRequired = useAriaRequired()
  const rows = field.rows ?? 3
  const max = field.max ?? 2000
  return (
    <Input.TextArea
      id={id}
      value={String(value ?? '')}
      onChange={(event) => onChange(event.target.value)}
      autoSize={{ minRows: rows, maxRows: Math.max(rows, 14) }}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      aria-required={isRequired}
      count={characterCountConfig(max)}
    />
  )
}

export const longTextWebKind: WebFieldKind = {
  Cell: TextLineCell,
  Input: LongTextInput,
  width: 220,
  wide: true,
  drawnAs: 'text',
}
