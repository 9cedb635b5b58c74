import { createRoot } from 'react-dom/client'
import { lang, onLanguageChange } from '#kit/web/language.tsx'
import { watchConnectivity } from '#kit/web/live/connectivity.ts'
import { mocked } from '#kit/web/session/mock-mode.ts'
import { loadSession } from '#kit/web/session/session.ts'
import { removeStored, setStored, getStored } from '#kit/web/storage.ts'
import { tokens } from '#kit/web/theme/tokens.ts'
import { Login } from './login/login.tsx'
import { isLoginPath, redirectOf, withRedirect } from './login/paths.ts'
import { watchErrors } from './shell/error-log.ts'
import { showChunkFailure, showWaiting } from './shell/chunk-failure.ts'

const root = createRoot(document.getElementById('root') as HTMLElement)
/** The shell is drawn once, with its page, but not kept from people by one that is long in coming. */
const PAGE_PATIENCE_MS = 300
const openPages = /^\/(403|404|500)$/

async function openApp(to?: string) {
  if (to) history.replaceState(null, '', to)
  const stop = showWaiting()
  try {
    const { App, firstPage } = await import('./app.tsx')
    await Promise.race([firstPage, new Promise((done) => setTimeout(done, PAGE_PATIENCE_MS))])
    root.render(<App />)
  } catch (reason) {
    showChunkFailure(reason)
  } finally {
    stop()
  }
}

async function mockIfAsked() {
  // Written out, so that a build without it leaves it out.
  if (!import.meta.env.DEV && import.meta.env.VITE_MOCK !== '1') return removeStored('mock')
  const asked = new URLSearchParams(location.search).get('mock')
  if (asked !== null) setStored('mock', asked === '1')
  if (!mocked()) return
  const { startMock } = await import('./mock/start.ts')
  await startMock()
}

async function start() {
  watchErrors()
  watchConnectivity()
  document.documentElement.lang = lang() === 'en' ? 'en' : 'zh-CN'
  onLanguageChange(() => {
    document.documentElement.lang = lang() === 'en' ? 'en' : 'zh-CN'
  })
  document.documentElement.dataset.dark = String(/dark|star/.test(getStored<string>('theme') ?? ''))
  await mockIfAsked()
  const { pathname, search } = location
  if (tokens.access()) {
    // The menus are on their way while the shell still is.
    if (!isLoginPath(pathname) && !getStored('lock')) void loadSession()
    return openApp()
  }
  if (openPages.test(pathname)) return openApp()
  if (!isLoginPath(pathname)) history.replaceState(null, '', withRedirect(pathname + search))
  const done = () => {
    const to = redirectOf(location.search)
    // Other applications of the house sent them here to sign in: the server leads on from its own address.
    if (to.startsWith('/api/blade-auth/oauth/authorize?')) location.assign(to)
    else void openApp(to)
  }
  root.render(<Login onDone={done} onTyping={() => void import('./app.tsx').catch(() => {})} />)
}

void start()
