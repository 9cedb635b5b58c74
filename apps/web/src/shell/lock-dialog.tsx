import { useState } from 'react'
import type { FormEvent } from 'react'
import { lockScreen } from '#kit/web/session/session.ts'
import { NativeDialog } from '../login/dialog.tsx'
import { LabelledInput } from '../login/field.tsx'
import { useShellTranslation } from '../words/index.ts'

const DELAY = 100

/** Dialog that asks for a password for unlocking, and then locks the screen. */
export function LockScreenDialog({ onClose }: { onClose: () => void }) {
  const t = useShellTranslation()
  const [error, setError] = useState<string>()
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password') ?? '')
    if (!password) return setError(t('lock.required'))
    onClose()
    setTimeout(() => lockScreen(password), DELAY)
  }
  return (
    <NativeDialog title={t('lock.set')} lead={t('lock.help')} onClose={onClose}>
      <form noValidate onSubmit={submit}>
        <LabelledInput
          name="password"
          type="password"
          label={t('lock.password')}
          autoComplete="off"
          autoFocus
          error={error}
        />
        <div className="plain-dialog-foot">
          <button type="button" className="plain-button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button type="submit" className="solid-button">
            {t('lock.screen')}
          </button>
        </div>
      </form>
    </NativeDialog>
  )
}
