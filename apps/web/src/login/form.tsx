import { useState, type FormEvent, type KeyboardEvent } from 'react'
import { useLocalize, type LocalizedText } from '#kit/web/base/language.tsx'
import type { LoginCredentials } from '#kit/web/session/session.ts'
import { webSettings } from '#kit/web/base/settings.ts'
import { setStoredValue, getStoredValue } from '#kit/web/base/storage.ts'
import { useCaptcha } from './captcha.ts'
import { LabelledInput } from './field.tsx'
import { words } from './words.ts'

type Props = {
  tenantId: string | undefined
  tenantKnown: boolean
  /** Number of failed attempts; each needs a new captcha. */
  attempt: number
  onSubmit: (given: LoginCredentials) => Promise<void>
}

type Name = 'tenant' | 'username' | 'password' | 'captcha'
const required: Record<Name, LocalizedText> = {
  tenant: words.tenantRequired,
  username: words.usernameRequired,
  password: words.passwordRequired,
  captcha: words.captchaRequired,
}

/** Sign-in form with tenant, account, password and captcha. */
export function LoginForm({ tenantId, tenantKnown, attempt, onSubmit }: Props) {
  const t = useLocalize()
  const captcha = useCaptcha(attempt)
  const { submit, missing, busy } = useSubmit({ tenantId, captchaKey: captcha.key, onSubmit })
  const error = (name: Name) => (missing === name ? t(required[name]) : undefined)
  return (
    <form className="login-form" noValidate onSubmit={(event) => void submit(event)} aria-busy={busy}>
      {webSettings.tenantMode && tenantKnown && !tenantId && (
        <LabelledInput
          name="tenant"
          label={t(words.tenant)}
          error={error('tenant')}
          autoComplete="organization"
          defaultValue={getStoredValue<string>('tenantId') ?? webSettings.defaultTenant}
          inputMode="numeric"
        />
      )}
      <LabelledInput
        name="username"
        label={t(words.username)}
        error={error('username')}
        autoComplete="username"
        autoFocus
        autoCapitalize="none"
        spellCheck={false}
      />
      <PasswordField error={error('password')} />
      {webSettings.captchaMode && <CaptchaField key={captcha.key} captcha={captcha} error={error('captcha')} />}
      <button type="submit" className="login-submit" disabled={busy}>
        {t(busy ? words.busy : words.submit)}
      </button>
    </form>
  )
}

type Submitting = Pick<Props, 'tenantId' | 'onSubmit'> & { captchaKey: string }

function useSubmit({ tenantId, captchaKey, onSubmit }: Submitting) {
  const [missing, setMissing] = useState<Name>()
  const [busy, setBusy] = useState(false)
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const data = new FormData(form)
    const value = (name: Name) => String(data.get(name) ?? '').trim()
    const names: Name[] = ['tenant', 'username', 'password', 'captcha']
    const empty = names.find((name) => data.has(name) && !value(name))
    setMissing(empty)
    if (empty) return (form.elements.namedItem(empty) as HTMLInputElement).focus()
    setBusy(true)
    const tenant = tenantId ?? (value('tenant') || webSettings.defaultTenant)
    setStoredValue('tenantId', tenant)
    await onSubmit({
      grant: webSettings.captchaMode ? 'captcha' : 'password',
      tenantId: tenant,
      username: value('username'),
      password: String(data.get('password')),
      captchaKey,
      captchaCode: value('captcha'),
    })
    setBusy(false)
  }
  return { submit, missing, busy }
}

function PasswordField({ error }: { error: string | undefined }) {
  const t = useLocalize()
  const [shown, setShown] = useState(false)
  const [caps, setCaps] = useState(false)
  const watchCaps = (event: KeyboardEvent) => setCaps(event.getModifierState?.('CapsLock') ?? false)
  return (
    <LabelledInput
      name="password"
      label={t(words.password)}
      error={error}
      onKeyUp={watchCaps}
      type={shown ? 'text' : 'password'}
      autoComplete="current-password"
      hint={caps ? t(words.caps) : undefined}
    >
      <button
        type="button"
        className="login-eye"
        aria-pressed={shown}
        onClick={() => setShown(!shown)}
        aria-label={t(shown ? words.hide : words.show)}
        title={t(shown ? words.hide : words.show)}
      >
        <svg viewBox="0 0 24 24" width="18" height="18" fill="none" stroke="currentColor" strokeWidth="1.8">
          <path d="M2 12s3.6-7 10-7 10 7 10 7-3.6 7-10 7S2 12 2 12Z" />
          <circle cx="12" cy="12" r="3" />
          {shown && <path d="m4 4 16 16" />}
        </svg>
      </button>
    </LabelledInput>
  )
}

type CaptchaProps = { captcha: ReturnType<typeof useCaptcha>; error: string | undefined }

function CaptchaField({ captcha, error }: CaptchaProps) {
  const t = useLocalize()
  return (
    <LabelledInput
      name="captcha"
      label={t(words.captcha)}
      error={error}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={8}
    >
      <button
        type="button"
        className="login-captcha"
        onClick={captcha.another}
        title={t(words.anotherCaptcha)}
        aria-label={t(words.anotherCaptcha)}
      >
        {captcha.image ? (
          <img src={captcha.image} alt={t(words.captcha)} width="118" height="42" />
        ) : (
          <span>{captcha.failed ? t(words.captchaFailed) : '…'}</span>
        )}
      </button>
    </LabelledInput>
  )
}
