import { setupWorker } from 'msw/browser'
import { createMockHandlers } from './handlers.ts'

/** From here on a service worker answers in place of the server. */
export async function startMockServiceWorker() {
  const worker = setupWorker(...(await createMockHandlers()))
  await worker.start({ serviceWorker: { url: '/mockServiceWorker.js' }, onUnhandledFrame: 'bypass', quiet: true })
}
