import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'

type Props = { title: string; lead?: string; onClose: () => void; className?: string; children: ReactNode }

/** The browser's own modal dialog: it keeps the focus inside and closes with Esc. */
export function Dialog({ title, lead, onClose, className = '', children }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = box.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={box}
      className={`plain-dialog ${className}`}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <h2>{title}</h2>
      {lead && <p className="plain-dialog-lead">{lead}</p>}
      {children}
    </dialog>
  )
}
