import { useRef } from 'react'
import { useLocalize, type LocalizedText } from '../base/language.tsx'
import { words } from '../base/page-words.ts'

const LEAST = 64

type Props = React.ThHTMLAttributes<HTMLTableCellElement> & {
  'data-width'?: number
  label?: LocalizedText
  onWidth?: (width: number) => void
}

/** Heading cell whose right edge can be dragged, or moved by the arrow keys, to change the column width. */
export function ResizableHeadCell({ onWidth, label, 'data-width': width, children, ...rest }: Props) {
  const t = useLocalize()
  const cell = useRef<HTMLTableCellElement>(null)
  if (!onWidth || !label) return <th {...rest}>{children}</th>
  const drag = (event: React.PointerEvent<HTMLSpanElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const edge = event.currentTarget
    const from = event.clientX
    const start = cell.current?.offsetWidth ?? width ?? LEAST
    edge.setPointerCapture(event.pointerId)
    const move = (next: PointerEvent) => onWidth(Math.max(LEAST, Math.round(start + next.clientX - from)))
    edge.addEventListener('pointermove', move)
    edge.addEventListener('pointerup', () => edge.removeEventListener('pointermove', move), { once: true })
  }
  return (
    <th {...rest} ref={cell}>
      {children}
      <span
        className="kit-edge"
        role="separator"
        aria-orientation="vertical"
        aria-label={t(words.resize, { name: t(label) })}
        aria-valuenow={width}
        tabIndex={0}
        onPointerDown={drag}
        onClick={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          const step = event.key === 'ArrowLeft' ? -16 : event.key === 'ArrowRight' ? 16 : 0
          event.stopPropagation()
          if (step) onWidth(Math.max(LEAST, (width ?? LEAST) + step))
        }}
      />
    </th>
  )
}
