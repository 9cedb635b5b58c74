import './login.css'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLanguage, useLocalize, setLanguage, type LocalizedText } from '#kit/web/base/language.tsx'
import { ApiError } from '#kit/web/http/http.ts'
import {
  updateSessionUser,
  isGuestUser,
  clearSession,
  login,
  useSession,
  type LoginCredentials,
} from '#kit/web/session/session.ts'
import type { SessionUser } from '#kit/web/session/session-user.ts'
import { webSettings } from '#kit/web/base/settings.ts'
import { windowTitleOf } from '../shell/titles.ts'
import { LoginForm } from './form.tsx'
import { parseOauthCallback } from './paths.ts'
import type { ChosenDepartmentAndRole } from './place-dialog.tsx'
import { SocialLoginButtons } from './social.tsx'
import { DemoLoginButtons } from './demo-login-buttons.tsx'
import { useTenantByDomain } from './tenant.ts'
import { words } from './words.ts'

const endings: Record<string, LocalizedText> = words.ended

// Loaded lazily, because few users need these dialogs.
const PlaceDialog = lazy(() =>
  import('./place-dialog.tsx').then((part) => ({ default: part.ChooseDepartmentRoleDialog })),
)
const FirstPasswordDialog = lazy(() =>
  import('./first-password.tsx').then((part) => ({ default: part.RequiredPasswordChangeDialog })),
)
const RegisterDialog = lazy(() =>
  import('./register-dialog.tsx').then((part) => ({ default: part.RegistrationDialog })),
)

type Props = { onDone: (to: string) => void; onTyping?: () => void }

/** The user has several departments or roles and has to choose; `given` are the credentials to sign in with again. */
type Choice = { user: SessionUser; given: LoginCredentials }

const several = (user: SessionUser) => user.deptId.includes(',') || user.roleId.includes(',')

/** The sign-in page. It uses no component library, because it is the first page a phone in a shop loads. */
export function LoginPage({ onDone, onTyping }: Props) {
  const t = useLocalize()
  const language = useLanguage()
  const tenant = useTenantByDomain()
  const entry = useEntry(onDone)
  useEffect(() => {
    document.title = windowTitleOf(t(words.title), language)
  }, [t, language])
  useHandOver(tenant, entry.enter)
  const background = tenant.background ? { backgroundImage: `url(${JSON.stringify(tenant.background)})` } : undefined
  return (
    <div className={`login${background ? ' login-own' : ''}`} style={background} onInput={onTyping}>
      <button
        type="button"
        className="login-language"
        lang={language === 'zh' ? 'en' : 'zh'}
        onClick={() => setLanguage(language === 'zh' ? 'en' : 'zh')}
      >
        {t(words.language)}
      </button>
      <Hero isHidden={!!background} />
      <main className="login-side">
        <div className="login-card">
          <img className="login-logo" src="/favicon.svg" alt="" width="40" height="40" />
          <h1>{t(words.welcome)}</h1>
          <p className="login-lead">{t(words.lead)}</p>
          <SignInMessage error={entry.error} notice={entry.notice} />
          <LoginForm tenantId={tenant.id} tenantKnown={tenant.known} attempt={entry.attempt} onSubmit={entry.enter} />
          <DemoLoginButtons onEnter={(person) => void entry.enter({ grant: 'story', ...person })} />
          <SocialLoginButtons />
        </div>
      </main>
      <NextStep entry={entry} tenantId={tenant.id} onDone={onDone} />
    </div>
  )
}

/**
 * What the user still has to do before the session begins: register, change the password, or choose a department and
 * role.
 */
type Next = { guest: SessionUser } | { first: { present?: string } } | { choice: Choice }

function useEntry(onDone: Props['onDone']) {
  const t = useLocalize()
  const [error, setError] = useState('')
  const [notice, setNotice] = useState('')
  const [attempt, setAttempt] = useState(0)
  const [next, setNext] = useState<Next>()
  const failed = () => setAttempt((count) => count + 1)
  async function enter(given: LoginCredentials) {
    setError('')
    setNotice('')
    try {
      const user = await login(given)
      if (isGuestUser(user)) return setNext({ guest: user })
      if (webSettings.switchMode && several(user) && !('deptId' in given && given.deptId)) {
        clearSession()
        return setNext({ choice: { user, given } })
      }
      if (user.mustChange) return setNext({ first: { present: 'password' in given ? given.password : undefined } })
      onDone('/')
    } catch (reason) {
      setError(reason instanceof ApiError && reason.msg ? reason.msg : t(words.failed))
      failed()
    }
  }
  return { error, notice, setNotice, attempt, failed, next, setNext, enter }
}

type Entry = ReturnType<typeof useEntry>

/** Signs in a user who comes back from a third party with a code in the address. */
function useHandOver(tenant: ReturnType<typeof useTenantByDomain>, enter: Entry['enter']) {
  useEffect(() => {
    const given = parseOauthCallback(location.pathname, location.search)
    if (!given || !tenant.known) return
    history.replaceState(null, '', '/login')
    const tenantId = tenant.id ?? webSettings.defaultTenant
    void enter(
      given.source
        ? { grant: 'social', tenantId, source: given.source, code: given.code, state: given.state }
        : {
            grant: 'authorization_code',
            tenantId: given.state,
            code: given.code,
            redirectUri: `${location.origin}/login`,
          },
    )
    // Runs once, when the tenant of this address is known.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [tenant.known])
}

function Hero({ isHidden }: { isHidden: boolean }) {
  const t = useLocalize()
  const language = useLanguage()
  return (
    <aside className="login-hero" aria-hidden={isHidden}>
      <img src="/favicon.svg" alt="" width="44" height="44" />
      <p className="login-product">{webSettings.product[language]}</p>
      <p className="login-slogan">{t(words.slogan)}</p>
      <ul>
        {t(words.points)
          .split('|')
          .map((point) => (
            <li key={point}>{point}</li>
          ))}
      </ul>
    </aside>
  )
}

/** Message above the form: why the last session ended, the result of a registration, or an error. */
function SignInMessage({ error, notice }: { error: string; notice: string }) {
  const t = useLocalize()
  const ended = useSession((session) => session.ended)
  const message = notice || (ended && !error ? t(endings[ended] ?? words.ended.over) : '')
  return (
    <>
      {message && (
        <p className="login-notice" role="status">
          {message}
        </p>
      )}
      {error && (
        <p className="login-error" role="alert">
          {error}
        </p>
      )}
    </>
  )
}

type StepProps = { entry: Entry; tenantId: string | undefined; onDone: Props['onDone'] }

function NextStep({ entry: { next, setNext, setNotice, failed, enter }, tenantId, onDone }: StepProps) {
  const t = useLocalize()
  if (!next) return null
  const register = (isSent: boolean) => {
    clearSession()
    setNext(undefined)
    if (isSent) setNotice(t(words.registered))
  }
  const changePassword = (isChanged: boolean) => {
    setNext(undefined)
    updateSessionUser({ mustChange: false })
    if (isChanged) return onDone('/')
    clearSession()
    failed()
  }
  const choosePlace = ({ given }: Choice, place: ChosenDepartmentAndRole | undefined) => {
    setNext(undefined)
    if (place) void enter({ ...given, ...place })
  }
  return (
    <Suspense>
      {'guest' in next && <RegisterDialog guest={next.guest} tenantId={tenantId} onClose={register} />}
      {'first' in next && <FirstPasswordDialog present={next.first.present} onClose={changePassword} />}
      {'choice' in next && (
        <PlaceDialog
          deptIds={next.choice.user.deptId}
          roleIds={next.choice.user.roleId}
          onClose={(place) => choosePlace(next.choice, place)}
        />
      )}
    </Suspense>
  )
}
