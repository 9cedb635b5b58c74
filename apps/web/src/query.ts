import { onlineManager, QueryClient } from '@tanstack/react-query'
import { HttpError } from '#kit/web/http.ts'
import { onLanguageChange } from '#kit/web/language.tsx'
import { onConnectivityChange } from '#kit/web/live/connectivity.ts'
import { onSessionStart, onSessionEnd } from '#kit/web/session/session.ts'

const RETRIES = 2

/** What the server said, kept while it is fresh. Answers to one user, or in one language, never serve another. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 10 * 60_000,
      // Only silence is worth another try; a refusal stays a refusal.
      retry: (count, reason) => count < RETRIES && reason instanceof HttpError && reason.status === 0,
      refetchOnWindowFocus: true,
    },
    mutations: { retry: false },
  },
})

// Questions wait while nobody answers, and are asked when somebody does.
onlineManager.setEventListener((setOnline) => onConnectivityChange((line) => setOnline(line === 'up')))

onSessionEnd(() => queryClient.clear())
onSessionStart(() => queryClient.clear())
onLanguageChange(() => void queryClient.invalidateQueries())
