import { Popover, type PopoverProps } from 'antd'
import { cloneElement, Suspense, useRef, useState, type ReactElement, type ReactNode } from 'react'
import { isFocusableNow, FOCUSABLE_SELECTOR } from './focus-restore.ts'

const WAIT = 'kit-popup-wait'

type Props = Omit<PopoverProps, 'trigger' | 'content' | 'children'> & {
  /** Accessible name of the popover. */
  label: string
  content: ReactNode
  /** The button that opens it. */
  children: ReactElement<Record<string, unknown>>
}

/**
 * Popover opened by a click or key. It is rendered at the end of the document, so it takes the focus when it opens;
 * Esc, or Tab past its first or last element, closes it and returns the focus. Its content may be lazy.
 */
export function Popup({ label, content, children, open: isRequested, onOpenChange, afterOpenChange, ...rest }: Props) {
  const [own, setOwn] = useState(false)
  const open = isRequested ?? own
  const box = useRef<HTMLDivElement>(null)
  const from = useRef<HTMLElement>(undefined)
  const show = (next: boolean) => {
    if (next && document.activeElement instanceof HTMLElement) from.current = document.activeElement
    setOwn(next)
    onOpenChange?.(next)
  }

  const leave = (event: React.KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Tab') return
    // While the content is loading there is nothing to focus, which does not count as the end.
    if (event.currentTarget.querySelector(`.${WAIT}`)) return event.preventDefault()
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement>(FOCUSABLE_SELECTOR)].filter(isFocusableNow)
    const isAtEnd = event.shiftKey
      ? [stops[0], event.currentTarget].includes(event.target as HTMLElement)
      : event.target === (stops.at(-1) ?? event.currentTarget)
    if (!isAtEnd) return
    event.preventDefault()
    from.current?.focus()
    show(false)
  }

  return (
    <Popover
      {...rest}
      trigger="click"
      open={open}
      onOpenChange={show}
      afterOpenChange={(isOpen) => {
        if (isOpen && !box.current?.contains(document.activeElement)) box.current?.focus({ preventScroll: true })
        afterOpenChange?.(isOpen)
      }}
      content={
        <div ref={box} role="dialog" aria-label={label} tabIndex={-1} className="kit-popup" onKeyDown={leave}>
          <Suspense fallback={<div className={WAIT} />}>{content}</Suspense>
        </div>
      }
    >
      {cloneElement(children, { 'aria-haspopup': 'dialog', 'aria-expanded': open })}
    </Popover>
  )
}
