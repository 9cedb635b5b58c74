import { createRoot } from 'react-dom/client'
import { currentLanguage, onLanguageChange } from '#kit/web/base/language.tsx'
import { watchConnectivity } from '#kit/web/http/connectivity.ts'
import { isMockMode } from '#kit/web/session/mock-mode.ts'
import { loadSession } from '#kit/web/session/session.ts'
import { removeStoredValue, setStoredValue, getStoredValue } from '#kit/web/base/storage.ts'
import { tokenStorage } from '#kit/web/http/tokens.ts'
import { LoginPage } from './login/login.tsx'
import { isLoginPath, pathAfterLogin, loginPathReturningTo } from './login/paths.ts'
import { logUncaughtErrors } from './shell/error-log.ts'
import { showShellLoadFailure, showConnectionLostNotice } from './shell/chunk-failure.ts'

const root = createRoot(document.getElementById('root') as HTMLElement)
/**
 * Longest wait for the first page, so that the shell and the page render together; after that the shell renders alone.
 */
const PAGE_TIMEOUT_MS = 300
const openPages = /^\/(403|404|500)$/

async function openApp(to?: string) {
  if (to) history.replaceState(null, '', to)
  const stop = showConnectionLostNotice()
  try {
    const { App, firstPagePromise: firstPage } = await import('./app.tsx')
    await Promise.race([firstPage, new Promise((done) => setTimeout(done, PAGE_TIMEOUT_MS))])
    root.render(<App />)
  } catch (reason) {
    showShellLoadFailure(reason)
  } finally {
    stop()
  }
}

async function startMockIfRequested() {
  // Written as a literal condition, so that builds without mock mode drop the code below.
  if (!import.meta.env.DEV && import.meta.env.VITE_MOCK !== '1') return removeStoredValue('mock')
  const requested = new URLSearchParams(location.search).get('mock')
  if (requested !== null) setStoredValue('mock', requested === '1')
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
  await startMockIfRequested()
  const { pathname, search } = location
  if (tokenStorage.access()) {
    // Starts loading the menus while the shell is still loading.
    if (!isLoginPath(pathname) && !getStoredValue('lock')) void loadSession()
    return openApp()
  }
  if (openPages.test(pathname)) return openApp()
  if (!isLoginPath(pathname)) history.replaceState(null, '', loginPathReturningTo(pathname + search))
  const done = () => {
    const to = pathAfterLogin(location.search)
    // Another application sent the user here to sign in (OAuth), so the server has to continue.
    if (to.startsWith('/api/blade-auth/oauth/authorize?')) location.assign(to)
    else void openApp(to)
  }
  root.render(<LoginPage onDone={done} onTyping={() => void import('./app.tsx').catch(() => {})} />)
}

void start()
