import { onlineManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from '#kit/web/http/http.ts'
import { onLanguageChange } from '#kit/web/base/language.tsx'
import { onConnectivityChange } from '#kit/web/http/connectivity.ts'
import { onSessionStart, onSessionEnd } from '#kit/web/session/session.ts'

const RETRIES = 2

/** Cache of server answers. Cleared when a session starts or ends; invalidated when the language changes. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 10 * 60_000,
      // Only a call without an answer is retried; a refusal would be repeated.
      retry: (count, reason) => count < RETRIES && reason instanceof ApiError && reason.status === 0,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})

// Queries pause while the server does not answer and resume when it does.
onlineManager.setEventListener((setOnline) => onConnectivityChange((line) => setOnline(line === 'up')))

onSessionEnd(() => queryClient.clear())
onSessionStart(() => queryClient.clear())
onLanguageChange(() => void queryClient.invalidateQueries())
