import { Switch } from 'antd'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import type { InputProps } from '../web-kind.ts'

export default function BooleanInput({ value, onChange, id, disabled, describedBy }: InputProps) {
  const t = useLocalize()
  return (
    <span className="kit-switch">
      <Switch id={id} checked={value === true} onChange={onChange} disabled={disabled} aria-describedby={describedBy} />
      <span aria-hidden>{t(value === true ? words.yes : words.no)}</span>
    </span>
  )
}
