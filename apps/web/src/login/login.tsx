import './login.css'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useLang, useSay, setLang } from '#kit/web/language.tsx'
import type { Words } from '#kit/web/language.tsx'
import { HttpError } from '#kit/web/http.ts'
import { amendUser, isGuest, leave, login, useSession } from '#kit/web/session/session.ts'
import type { Credentials, SessionUser } from '#kit/web/session/session.ts'
import { settings } from '#kit/web/settings.ts'
import { titleOf } from '../shell/titles.ts'
import { LoginForm } from './form.tsx'
import { handOver } from './paths.ts'
import { SocialButtons } from './social.tsx'
import { StoryPeople } from './story-people.tsx'
import { useTenantOfDomain } from './tenant.ts'
import { words } from './words.ts'

const endings: Record<string, Words> = words.ended

// Few need these; they do not make everybody wait.
const PlaceDialog = lazy(() => import('./place-dialog.tsx').then((part) => ({ default: part.PlaceDialog })))
const FirstPasswordDialog = lazy(() =>
  import('./first-password.tsx').then((part) => ({ default: part.FirstPasswordDialog })),
)
const RegisterDialog = lazy(() => import('./register-dialog.tsx').then((part) => ({ default: part.RegisterDialog })))

type Props = { onDone: (to: string) => void; onTyping?: () => void }

/** Several departments or roles to choose one of, with the credentials to come in with afterwards. */
type Choice = { user: SessionUser; given: Credentials }

const several = (user: SessionUser) => user.deptId.includes(',') || user.roleId.includes(',')

/** The sign-in page. It carries no component library: it is the first thing a phone in a shop loads. */
export function Login({ onDone, onTyping }: Props) {
  const say = useSay()
  const language = useLang()
  const tenant = useTenantOfDomain()
  const [error, setError] = useState('')
  const [notice, setNotice] = useState('')
  const [attempt, setAttempt] = useState(0)
  const ended = useSession((session) => session.ended)
  const [guest, setGuest] = useState<SessionUser>()
  const [choice, setChoice] = useState<Choice>()
  const [first, setFirst] = useState<{ present?: string }>()

  useEffect(() => {
    document.title = titleOf(say(words.title), language)
  }, [say, language])

  async function enter(given: Credentials) {
    setError('')
    setNotice('')
    try {
      const user = await login(given)
      if (isGuest(user)) return setGuest(user)
      if (settings.switchMode && several(user) && !('deptId' in given && given.deptId)) {
        leave()
        return setChoice({ user, given })
      }
      if (user.mustChange) return setFirst({ present: 'password' in given ? given.password : undefined })
      onDone('/')
    } catch (reason) {
      setError(reason instanceof HttpError && reason.msg ? reason.msg : say(words.failed))
      setAttempt((count) => count + 1)
    }
  }

  useEffect(() => {
    const given = handOver(location.pathname, location.search)
    if (!given || !tenant.known) return
    history.replaceState(null, '', '/login')
    const tenantId = tenant.id ?? settings.defaultTenant
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
    // Once, when the tenant of this address is known.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [tenant.known])

  const background = tenant.background ? { backgroundImage: `url(${JSON.stringify(tenant.background)})` } : undefined
  return (
    <div className={`login${background ? ' login-own' : ''}`} style={background} onInput={onTyping}>
      <button
        type="button"
        className="login-language"
        lang={language === 'zh' ? 'en' : 'zh'}
        onClick={() => setLang(language === 'zh' ? 'en' : 'zh')}
      >
        {say(words.language)}
      </button>
      <aside className="login-hero" aria-hidden={!!background}>
        <img src="/favicon.svg" alt="" width="44" height="44" />
        <p className="login-product">{settings.product[language]}</p>
        <p className="login-slogan">{say(words.slogan)}</p>
        <ul>
          {say(words.points)
            .split('|')
            .map((point) => (
              <li key={point}>{point}</li>
            ))}
        </ul>
      </aside>
      <main className="login-side">
        <div className="login-card">
          <img className="login-logo" src="/favicon.svg" alt="" width="40" height="40" />
          <h1>{say(words.welcome)}</h1>
          <p className="login-lead">{say(words.lead)}</p>
          {ended && !error && !notice && (
            <p className="login-notice" role="status">
              {say(endings[ended] ?? words.ended.over)}
            </p>
          )}
          {notice && (
            <p className="login-notice" role="status">
              {notice}
            </p>
          )}
          {error && (
            <p className="login-error" role="alert">
              {error}
            </p>
          )}
          <LoginForm tenantId={tenant.id} tenantKnown={tenant.known} attempt={attempt} onSubmit={enter} />
          <StoryPeople onEnter={(person) => void enter({ grant: 'story', ...person })} />
          <SocialButtons />
        </div>
      </main>
      <Suspense>
        {guest && (
          <RegisterDialog
            guest={guest}
            tenantId={tenant.id}
            onClose={(sent) => {
              leave()
              setGuest(undefined)
              if (sent) setNotice(say(words.registered))
            }}
          />
        )}
        {first && (
          <FirstPasswordDialog
            present={first.present}
            onClose={(changed) => {
              setFirst(undefined)
              amendUser({ mustChange: false })
              if (changed) return onDone('/')
              leave()
              setAttempt((count) => count + 1)
            }}
          />
        )}
        {choice && (
          <PlaceDialog
            deptIds={choice.user.deptId}
            roleIds={choice.user.roleId}
            onClose={(place) => {
              setChoice(undefined)
              if (place) void enter({ ...choice.given, ...place })
            }}
          />
        )}
      </Suspense>
    </div>
  )
}
