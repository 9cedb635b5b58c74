import { Tag } from 'antd'
import type { IconName } from '../../resource/icon-names.ts'
import { Icon } from '../theme/icon.tsx'
import { useDictionary } from '../use-dictionary.ts'

const icons: Record<string, IconName> = {
  success: 'check-circle',
  green: 'check-circle',
  processing: 'clock-circle',
  blue: 'clock-circle',
  cyan: 'clock-circle',
  warning: 'exclamation-circle',
  orange: 'exclamation-circle',
  gold: 'exclamation-circle',
  error: 'close-circle',
  red: 'close-circle',
}

/** An entry of a dictionary as a tag: its words, its colour, and an icon so that colour never speaks alone. */
export function DictTag({ code, value, label }: { code: string; value: unknown; label?: string }) {
  const { choices, isPending } = useDictionary(code)
  const entry = choices.find(({ key }) => key === String(value))
  const colour = entry?.colour
  // The dictionary has followed the language; a label that came with the row may be of the moment before.
  // Until the words are there the bare code would be a riddle.
  const text = entry?.label || label || (isPending ? '…' : String(value))
  if (!colour || colour === 'default') return <Tag className="kit-tag">{text}</Tag>
  return (
    <Tag className="kit-tag" color={colour} icon={icons[colour] && <Icon name={icons[colour]} />}>
      {text}
    </Tag>
  )
}
