import { useEffect, useRef, type ReactNode } from 'react'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import { words } from './words.ts'

type FootProps = { submit: LocalizedText; busy?: boolean; onCancel: () => void }

/** Cancel and submit buttons of a form in a dialog. */
export function DialogFooter({ submit, busy, onCancel }: FootProps) {
  const t = useLocalize()
  return (
    <div className="plain-dialog-foot">
      <button type="button" className="plain-button" onClick={onCancel}>
        {t(words.cancel)}
      </button>
      <button type="submit" className="login-submit" disabled={busy}>
        {t(submit)}
      </button>
    </div>
  )
}

type Props = { title: string; lead?: string; onClose: () => void; className?: string; children: ReactNode }

/** Modal dialog of the browser itself, which keeps the focus inside and closes with Esc. */
export function NativeDialog({ title, lead, onClose, className = '', children }: Props) {
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
