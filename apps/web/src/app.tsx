import './shell/shell.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { BrowserRouter, Navigate, useLocation, useNavigate } from 'react-router'
import { stopLiveStream } from '#kit/web/live/live.ts'
import { closeLayerOnBackNavigation } from '#kit/web/parts/close-on-back.ts'
import { startFocusRestore } from '#kit/web/parts/focus-restore.ts'
import {
  syncSessionAcrossTabs,
  isGuestUser,
  startTokenRefresh,
  onSessionEnd,
  useSession,
} from '#kit/web/session/session.ts'
import { ThemeProvider } from '#kit/web/theme/theme.tsx'
import { LoginPage } from './login/login.tsx'
import { isLoginPath, loginPathReturningTo } from './login/paths.ts'
import { queryClient } from './query.ts'
import { LockScreenPage } from './shell/lock-page.tsx'
import { Shell } from './shell/shell.tsx'
import { HttpErrorPage } from './shell/status-page.tsx'
import { prefetchPage } from './shell/tab-pages.tsx'
import { HOME_PATH } from './shell/tabs.ts'

onSessionEnd(stopLiveStream)

const { pathname } = location
/** Resolves when the page of the address is loaded or failed to load; at once for users without a session. */
export const firstPagePromise = useSession.getState().token
  ? prefetchPage(pathname === '/' ? HOME_PATH : pathname)
  : Promise.resolve()

/** The application for signed-in users, and the redirect to the sign-in page for others. */
export function App() {
  useEffect(() => {
    const stops = [startTokenRefresh(), syncSessionAcrossTabs(), startFocusRestore(), closeLayerOnBackNavigation()]
    return () => stops.forEach((stop) => stop())
  }, [])
  return (
    <QueryClientProvider client={queryClient}>
      <ThemeProvider>
        <BrowserRouter>
          <Gate />
        </BrowserRouter>
      </ThemeProvider>
    </QueryClientProvider>
  )
}

function Gate() {
  const token = useSession((session) => session.token)
  const user = useSession((session) => session.user)
  const locked = useSession((session) => session.locked)
  const left = useSession((session) => session.left)
  const location = useLocation()
  const navigate = useNavigate()
  const { pathname, search } = location
  const inside = !!token && !isGuestUser(user)
  const status = /^\/(403|404|500)$/.exec(pathname)?.[1]
  if (status) return <HttpErrorPage code={status as '403' | '404' | '500'} />
  if (isLoginPath(pathname)) {
    return inside ? <Navigate to="/" replace /> : <LoginPage onDone={(to) => void navigate(to, { replace: true })} />
  }
  if (!inside) return <Navigate to={left ? '/login' : loginPathReturningTo(pathname + search)} replace />
  if (pathname === '/lock') {
    const from = (location.state as { from?: string } | null)?.from ?? '/'
    return locked ? <LockScreenPage /> : <Navigate to={from} replace />
  }
  if (locked) return <Navigate to="/lock" replace state={{ from: pathname + search }} />
  if (pathname === '/' || pathname === '/wel') return <Navigate to={HOME_PATH} replace />
  return <Shell />
}
