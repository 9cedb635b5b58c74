import { createRoot } from 'react-dom/client'
import { currentLanguage, onLanguageChange } from '#kit/web/language.tsx'
import { watchConnectivity } from '#kit/web/live/connectivity.ts'
import { isMockMode } from '#kit/web/session/mock-mode.ts'
import { loadSession } from '#kit/web/session/session.ts'
import { removeStoredValue, setStoredValue, getStoredValue } from '#kit/web/storage.ts'
import { tokenStorage } from '#kit/web/theme/tokens.ts'
import { LoginPage } from './login/login.tsx'
import { isLoginPath, pathAfterLogin, loginPathReturningTo } from './login/paths.ts'
import { logUncaughtErrors } from './shell/error-log.ts'
import { showShellLoadFailure, showConnectionLostNotice } from './shell/chunk-failure.ts'

const root = createRoot(document.getElementById('root') as HTMLElement)
/** The shell is drawn once, with its page, but not kept from people by one that is long in coming. */
const PAGE_PATIENCE_MS = 300
const openPages = /^\/(403|404|500)$/

async function openApp(to?: string) {
  if (to) history.replaceState(null, '', to)
  const stop = showConnectionLostNotice()
  try {
    const { App, firstPagePromise: firstPage } = await import('./app.tsx')
    await Promise.race([firstPage, new Promise((done) => setTimeout(done, PAGE_PATIENCE_MS))])
    root.render(<App />)
  } catch (reason) {
    showShellLoadFailure(reason)
  } finally {
    stop()
  }
}

async function mockIfAsked() {
  // Written out, so that a build without it leaves it out.
  if (!import.meta.env.DEV && import.meta.env.VITE_MOCK !== '1') return removeStoredValue('mock')
  const asked = new URLSearchParams(location.search).get('mock')
  if (asked !== null) setStoredValue('mock', asked === '1')
  if (!isMockMode()) return
  const { startMockServiceWorker: startMock } = await import('./mock/start.ts')
  await startMock()
}

async function start() {
  logUncaughtErrors()
  watchConnectivity()
  document.documentElement.lang = currentLanguage() === 'en' ? 'en' : 'zh-CN'
  onLanguageChange(() => {
    document.documentElement.lang = currentLanguage() === 'en' ? 'en' : 'zh-CN'
  })
  document.documentElement.dataset.dark = String(/dark|star/.test(getStoredValue<string>('theme') ?? ''))
  await mockIfAsked()
  const { pathname, search } = location
  if (tokenStorage.access()) {
    // The menus are on their way while the shell still is.
    if (!isLoginPath(pathname) && !getStoredValue('lock')) void loadSession()
    return openApp()
  }
  if (openPages.test(pathname)) return openApp()
  if (!isLoginPath(pathname)) history.replaceState(null, '', loginPathReturningTo(pathname + search))
  const done = () => {
    const to = pathAfterLogin(location.search)
    // Other applications of the house sent them here to sign in: the server leads on from its own address.
    if (to.startsWith('/api/blade-auth/oauth/authorize?')) location.assign(to)
    else void openApp(to)
  }
  root.render(<LoginPage onDone={done} onTyping={() => void import('./app.tsx').catch(() => {})} />)
}

void start()
