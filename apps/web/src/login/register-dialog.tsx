import { useState, type FormEvent } from 'react'
import { ApiError, apiPost } from '#kit/web/http/http.ts'
import { useLocalize } from '#kit/web/base/language.tsx'
import type { SessionUser } from '#kit/web/session/session-user.ts'
import { webSettings } from '#kit/web/base/settings.ts'
import { NativeDialog, DialogFooter } from './dialog.tsx'
import { LabelledInput } from './field.tsx'
import { findRegistrationProblem, type RegistrationValues, type RegistrationProblem } from './registration.ts'
import { words } from './words.ts'

type Props = { guest: SessionUser; tenantId: string | undefined; onClose: (sent: boolean) => void }

/** Dialog to apply for an account after third-party sign-in; an administrator has to approve it. */
export function RegistrationDialog({ guest, tenantId, onClose }: Props) {
  const t = useLocalize()
  const { submit, wrong, failure, busy } = useApplication({ guest, tenantId, onClose })
  const error = (field: keyof RegistrationValues) => (wrong?.field === field ? t(wrong.words) : undefined)

  return (
    <NativeDialog title={t(words.register)} lead={t(words.registerLead)} onClose={() => onClose(false)}>
      {failure && (
        <p className="login-error" role="alert">
          {failure}
        </p>
      )}
      <form noValidate onSubmit={(event) => void submit(event)} aria-busy={busy}>
        {!tenantId && (
          <LabelledInput
            name="tenantId"
            label={t(words.tenant)}
            error={error('tenantId')}
            defaultValue={guest.tenantId || webSettings.defaultTenant}
          />
        )}
        <LabelledInput name="name" label={t(words.name)} defaultValue={guest.userName} autoComplete="name" />
        <LabelledInput
          name="account"
          label={t(words.account)}
          error={error('account')}
          defaultValue={guest.userName}
          autoComplete="username"
        />
        <LabelledInput
          name="password"
          type="password"
          label={t(words.password)}
          error={error('password')}
          autoComplete="new-password"
        />
        <LabelledInput
          name="password2"
          type="password"
          label={t(words.password2)}
          error={error('password2')}
          autoComplete="new-password"
        />
        <DialogFooter submit={words.apply} busy={busy} onCancel={() => onClose(false)} />
      </form>
    </NativeDialog>
  )
}

function useApplication({ guest, tenantId, onClose }: Props) {
  const t = useLocalize()
  const [wrong, setWrong] = useState<RegistrationProblem>()
  const [failure, setFailure] = useState('')
  const [busy, setBusy] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const text = (name: keyof RegistrationValues) => String(data.get(name) ?? '')
    const values: RegistrationValues = {
      tenantId: tenantId ?? text('tenantId').trim(),
      name: text('name').trim(),
      account: text('account').trim(),
      password: text('password'),
      password2: text('password2'),
    }
    const found = findRegistrationProblem(values)
    setWrong(found)
    if (found) return (form.elements.namedItem(found.field) as HTMLInputElement | null)?.focus()
    setBusy(true)
    const { password2: _again, ...sent } = values
    try {
      await apiPost('/api/blade-user/register-guest', { body: { ...sent, oauthId: guest.oauthId } }, { quiet: true })
      onClose(true)
    } catch (reason) {
      setFailure((reason instanceof ApiError && reason.msg) || t(words.registerFailed))
      setBusy(false)
    }
  }
  return { submit, wrong, failure, busy }
}
