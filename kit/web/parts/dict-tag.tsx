import { Tag } from 'antd'
import type { IconName } from '../../base/icon-names.ts'
import { Icon } from '../theme/icon.tsx'
import { useDictionary } from './use-dictionary.ts'

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

/**
 * Shows an entry of a dictionary as a tag with its label, colour and an icon, so that the colour is never the only
 * sign.
 */
export function DictTag({ code, value, label }: { code: string; value: unknown; label?: string }) {
  const { choices, isPending } = useDictionary(code)
  const entry = choices.find(({ key }) => key === String(value))
  const colour = entry?.colour
  // The dictionary's label comes first: it follows the language, while the row's label may still be in the former one.
  // Until either is known, "…" is shown instead of the bare key.
  const text = entry?.label || label || (isPending ? '…' : String(value))
  if (!colour || colour === 'default') return <Tag className="kit-tag">{text}</Tag>
  return (
    <Tag className="kit-tag" color={colour} icon={icons[colour] && <Icon name={icons[colour]} />}>
      {text}
    </Tag>
  )
}
