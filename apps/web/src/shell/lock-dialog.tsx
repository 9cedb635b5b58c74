import { useState } from 'react'
import type { FormEvent } from 'react'
import { lockScreen } from '#kit/web/session/session.ts'
import { Dialog } from '../login/dialog.tsx'
import { Field } from '../login/field.tsx'
import { useT } from '../words/index.ts'

const DELAY = 100

/** Asks for the password that will open the screen again, and locks it. */
export function LockDialog({ onClose }: { onClose: () => void }) {
  const t = useT()
  const [error, setError] = useState<string>()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password') ?? '')
    if (!password) return setError(t('lock.required'))
    onClose()
    setTimeout(() => lockScreen(password), DELAY)
  }
  return (
    <Dialog title={t('lock.set')} lead={t('lock.help')} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <Field name="password" type="password" label={t('lock.password')} autoComplete="off" autoFocus error={error} />
        <div className="plain-dialog-foot">
          <button type="button" className="plain-button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="solid-button">
            {t('lock.screen')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
