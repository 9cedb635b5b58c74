import { setupWorker } from 'msw/browser'
import { createMockHandlers } from './handlers.ts'

/** Starts the service worker that answers API calls in place of the server. */
export async function startMockServiceWorker() {
  const worker = setupWorker(...(await createMockHandlers()))
  await worker.start({ serviceWorker: { url: '/mockServiceWorker.js' }, onUnhandledFrame: 'bypass', quiet: true })
}
