import { useEffect, useState, type FormEvent } from 'react'
import { useLanguage } from '#kit/web/base/language.tsx'
import { Icon } from '#kit/web/theme/icon.tsx'
import { logout, unlockScreen, useSession } from '#kit/web/session/session.ts'
import { LabelledInput } from '../login/field.tsx'
import { useShellTranslation } from '../words/index.ts'
import { windowTitleOf } from './titles.ts'

function useClock() {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), 5000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Page shown instead of everything else until the lock password is entered. */
export function LockScreenPage() {
  const t = useShellTranslation()
  const language = useLanguage()
  const user = useSession((session) => session.user)
  const [error, setError] = useState<string>()
  const now = useClock()
  const locale = language === 'zh' ? 'zh-CN' : 'en-GB'
  useEffect(() => {
    document.title = windowTitleOf(t('lock'), language)
  }, [t, language])

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const password = String(new FormData(form).get('password') ?? '')
    if (!password) return setError(t('lock.required'))
    if (unlockScreen(password)) return
    setError(t('lock.wrong'))
    form.reset()
  }

  return (
    <main className="lock">
      <p className="lock-time">
        {now.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', hour12: false })}
      </p>
      <p className="lock-date">{now.toLocaleDateString(locale, { month: 'long', day: 'numeric', weekday: 'long' })}</p>
      <form className="lock-card" noValidate onSubmit={submit}>
        <img src={user?.avatar || '/avatar.svg'} alt="" width="64" height="64" />
        <h1>{user?.realName || user?.nickName || user?.account}</h1>
        <LabelledInput
          name="password"
          type="password"
          label={t('lock.password')}
          autoFocus
          autoComplete="off"
          error={error}
        />
        <button type="submit" className="solid-button">
          <Icon name="unlock" /> {t('lock.unlock')}
        </button>
        <button type="button" className="plain-button" onClick={() => void logout()}>
          {t('lock.leave')}
        </button>
      </form>
    </main>
  )
}
