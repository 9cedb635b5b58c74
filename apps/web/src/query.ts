import { QueryClient } from '@tanstack/react-query'
import { HttpError } from '#kit/web/http.ts'
import { onLang } from '#kit/web/language.tsx'
import { onEnter, onLeave } from '#kit/web/session.ts'

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

onLeave(() => queryClient.clear())
onEnter(() => queryClient.clear())
onLang(() => void queryClient.invalidateQueries())
