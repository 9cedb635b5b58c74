import { Button, Input } from 'antd'
import { useState } from 'react'
import { iconNames } from '#kit/base/icon-names.ts'
import { Icon } from '#kit/web/theme/icon.tsx'
import { useLocalize } from '#kit/web/base/language.tsx'
import { words } from '#kit/web/base/page-words.ts'
import { Popup } from '#kit/web/parts/popup.tsx'
import type { InputProps } from '../web-kind.ts'

function IconGrid({ value, onPick }: { value: string; onPick: (name: string) => void }) {
  const t = useLocalize()
  const [text, setText] = useState('')
  const shown = iconNames.filter((name) => name.includes(text.trim().toLowerCase()))
  return (
    <div className="kit-icons">
      <Input
        autoFocus
        allowClear
        value={text}
        onChange={(event) => setText(event.target.value)}
        placeholder={t(words.search)}
      />
      <div className="kit-icon-grid">
        {shown.map((name) => (
          <button
            key={name}
            type="button"
            aria-label={name}
            title={name}
            aria-pressed={name === value}
            onClick={() => onPick(name)}
          >
            <Icon name={name} />
          </button>
        ))}
        {!shown.length && <span className="kit-quiet">{t(words.noMatch)}</span>}
      </div>
    </div>
  )
}

/** A choice out of the fixed set of icons, found by name. */
export default function IconInput({ value, onChange, id, disabled, describedBy }: InputProps) {
  const t = useLocalize()
  const [open, setOpen] = useState(false)
  const name = String(value ?? '')
  const pick = (next: string) => {
    onChange(next)
    setOpen(false)
  }
  return (
    <span className="kit-icon-input">
      <Popup
        label={t(words.pickIcon)}
        open={open && !disabled}
        onOpenChange={setOpen}
        placement="bottomLeft"
        destroyOnHidden
        content={<IconGrid value={name} onPick={pick} />}
      >
        <Button
          id={id}
          disabled={disabled}
          aria-describedby={describedBy}
          icon={name ? <Icon name={name} /> : undefined}
        >
          {name || t(words.pickIcon)}
        </Button>
      </Popup>
      {name && !disabled && (
        <Button type="text" aria-label={t(words.reset)} icon={<Icon name="close" />} onClick={() => onChange('')} />
      )}
    </span>
  )
}
