import { useRef, type PointerEvent } from 'react'

const LONG_PRESS_MS = 450
/** Movement, in pixels, from which a touch is no press. */
const STILL_PX = 8
/** Movement to the side, in pixels, that opens the actions behind a row. */
const SWIPE_PX = 40

type Handlers = { onLongPress?: () => void; onSwipe?: (isOpen: boolean) => void }

/**
 * Returns handlers of a row for a long press and for a swipe to the left or back. Only for touch: a mouse has buttons.
 * The click that follows a gesture does not reach the row.
 */
export function useRowGestures({ onLongPress, onSwipe }: Handlers) {
  const touch = useRef<{ x: number; y: number; timer?: ReturnType<typeof setTimeout>; isDone?: boolean }>(undefined)
  const end = () => {
    clearTimeout(touch.current?.timer)
    if (!touch.current?.isDone) touch.current = undefined
  }
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.pointerType !== 'touch') return
      const now = { x: event.clientX, y: event.clientY, isDone: false, timer: undefined as never }
      touch.current = {
        ...now,
        timer: onLongPress
          ? setTimeout(() => {
              if (touch.current) touch.current.isDone = true
              onLongPress()
            }, LONG_PRESS_MS)
          : undefined,
      }
    },
    onPointerMove: (event: PointerEvent) => {
      const start = touch.current
      if (!start || start.isDone) return
      const [dx, dy] = [event.clientX - start.x, event.clientY - start.y]
      if (Math.hypot(dx, dy) > STILL_PX) clearTimeout(start.timer)
      if (!onSwipe || Math.abs(dx) < SWIPE_PX || Math.abs(dx) < 2 * Math.abs(dy)) return
      start.isDone = true
      onSwipe(dx < 0)
    },
    onPointerUp: end,
    onPointerCancel: end,
    onClickCapture: (event: React.MouseEvent) => {
      if (!touch.current?.isDone) return
      touch.current = undefined
      event.preventDefault()
      event.stopPropagation()
    },
    onContextMenu: (event: React.MouseEvent) => {
      if (onLongPress && touch.current) event.preventDefault()
    },
  }
}
