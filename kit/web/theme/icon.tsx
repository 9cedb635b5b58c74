import type { CSSProperties } from 'react'
import { iconNames, type IconName } from '../../base/icon-names.ts'

const SPRITE = import.meta.env.VITE_ICONS ?? '/icons.svg'
const known = new Set<string>(iconNames)

/** Returns the icon of a name from the fixed set; of older clients' class names the last word is tried. */
function iconOf(name: string | undefined, fallback: IconName = 'appstore'): IconName {
  const plain = (name ?? '').trim().toLowerCase()
  if (known.has(plain)) return plain as IconName
  const last = plain.split(/[\s_]/).pop() ?? ''
  const tail = last.replace(/^(icon|el-icon-|icon-)/, '').replace(/-?outlined$/, '')
  return known.has(tail) ? (tail as IconName) : fallback
}

type Props = {
  name: string | undefined
  fallback?: IconName
  className?: string
  style?: CSSProperties
  label?: string
}

/**
 * Icon from the fixed set, in the colour and size of the text around it; `label` makes it readable for screen readers.
 */
export function Icon({ name, fallback, className, style, label }: Props) {
  return (
    <svg
      className={`icon anticon${className ? ` ${className}` : ''}`}
      style={style}
      width="1em"
      height="1em"
      fill="currentColor"
      aria-hidden={!label}
      aria-label={label}
      role={label ? 'img' : undefined}
      focusable="false"
    >
      <use href={`${SPRITE}#${iconOf(name, fallback)}`} />
    </svg>
  )
}
