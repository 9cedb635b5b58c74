import { create } from 'zustand'
import { ApiError, apiPost } from '#kit/web/http/http.ts'
import { setStoredValue, getStoredValue } from '#kit/web/base/storage.ts'

/** An entry of the browser's error log, in the server's format. */
export type ErrorLogEntry = { url: string; time: string; type: 'error'; message: string; stack: string; info: string }

const LIMIT = 200

export const useErrorLog = create<{ entries: ErrorLogEntry[] }>()(() => ({
  entries: getStoredValue<ErrorLogEntry[]>('logs') ?? [],
}))

const two = (part: number) => String(part).padStart(2, '0')

function now() {
  const date = new Date()
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`
}

function store(entries: ErrorLogEntry[]) {
  setStoredValue('logs', entries)
  useErrorLog.setState({ entries })
}

/** Records an error of this browser. Ignores refused and aborted requests. */
export function addToErrorLog(reason: unknown, info = '') {
  if (reason instanceof ApiError || (reason instanceof DOMException && reason.name === 'AbortError')) return
  const error = reason instanceof Error ? reason : new Error(String(reason))
  const entry: ErrorLogEntry = {
    url: location.href,
    time: now(),
    type: 'error',
    message: error.message,
    stack: error.stack ?? '',
    info,
  }
  store([entry, ...useErrorLog.getState().entries].slice(0, LIMIT))
}

export const clearErrorLog = () => store([])

/** Sends the local log to the server and empties it. */
export async function uploadErrorLog() {
  await apiPost('/api/blade-auth/oauth/logout', { body: useErrorLog.getState().entries })
  clearErrorLog()
}

/** Records all uncaught errors. */
export function logUncaughtErrors() {
  addEventListener('error', (event) => {
    // A harmless warning of the browser about layout.
    if (event.message?.startsWith('ResizeObserver loop')) return
    addToErrorLog(event.error ?? event.message, 'window.onerror')
  })
  addEventListener('unhandledrejection', (event) => addToErrorLog(event.reason, 'unhandledrejection'))
}
