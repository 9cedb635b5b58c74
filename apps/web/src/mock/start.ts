import { setupWorker } from 'msw/browser'
import { makeHandlers } from './handlers.ts'

/** From here on a service worker answers in place of the server. */
export async function startMock() {
  const worker = setupWorker(...(await makeHandlers()))
  await worker.start({ serviceWorker: { url: '/mockServiceWorker.js' }, onUnhandledFrame: 'bypass', quiet: true })
}
