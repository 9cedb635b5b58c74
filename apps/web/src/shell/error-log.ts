import { create } from 'zustand'
import { HttpError, post } from '#kit/web/http.ts'
import { setStored, getStored } from '#kit/web/storage.ts'

/** One entry of the local error log, as the server takes it. */
export type ErrorEntry = { url: string; time: string; type: 'error'; message: string; stack: string; info: string }

const LIMIT = 200

export const useErrorLog = create<{ entries: ErrorEntry[] }>()(() => ({
  entries: getStored<ErrorEntry[]>('logs') ?? [],
}))

const two = (part: number) => String(part).padStart(2, '0')

function now() {
  const date = new Date()
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}

function store(entries: ErrorEntry[]) {
  setStored('logs', entries)
  useErrorLog.setState({ entries })
}

/** Keeps an error of the screen. Refused requests are no errors of the screen, nor are cancelled ones. */
export function logError(reason: unknown, info = '') {
  if (reason instanceof HttpError || (reason instanceof DOMException && reason.name === 'AbortError')) return
  const error = reason instanceof Error ? reason : new Error(String(reason))
  const entry: ErrorEntry = {
    url: location.href,
    time: now(),
    type: 'error',
    message: error.message,
    stack: error.stack ?? '',
    info,
  }
  store([entry, ...useErrorLog.getState().entries].slice(0, LIMIT))
}

export const clearLog = () => store([])

/** Sends the local log to the server and empties it. */
export async function uploadLog() {
  await post('/api/blade-auth/oauth/logout', { body: useErrorLog.getState().entries })
  clearLog()
}

/** Keeps whatever nobody caught. */
export function watchErrors() {
  addEventListener('error', (event) => {
    // The browser's own remark about layouts, not an error of anybody.
    if (event.message?.startsWith('ResizeObserver loop')) return
    logError(event.error ?? event.message, 'window.onerror')
  })
  addEventListener('unhandledrejection', (event) => logError(event.reason, 'unhandledrejection'))
}
