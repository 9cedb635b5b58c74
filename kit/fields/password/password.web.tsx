import { Input } from 'antd'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import { useAriaRequired } from '../../web/base/required.ts'
import type { InputProps, WebFieldKind } from '../web-kind.ts'

function PasswordInput({ value, onChange, values, id, disabled, invalid, describedBy }: InputProps) {
  const isRequired = useAriaRequired()
  const t = useLocalize()
  return (
    <Input.Password
      id={id}
      value={String(value ?? '')}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="new-password"
      placeholder={values.id ? t(words.keepBlank) : undefined}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-invalid={invalid}
      aria-describedby={describedBy}
      aria-required={isRequired}
    />
  )
}

export const passwordWebKind: WebFieldKind = {
  Cell: () => <span className="kit-quiet">••••••</span>,
  Input: PasswordInput,
  width: 90,
  drawsBlank: true,
}
