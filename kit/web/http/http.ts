import { fetchOrTakePrefetched, peekPrefetchedData } from './prefetched.ts'
import { currentLanguage, localizeForUser } from '../base/language.tsx'
import { waitForServer } from './connectivity.ts'
import { findLocalResponse } from './local-responses.ts'
import type { QueryParams } from './query-params.ts'
import { webSettings } from '../base/settings.ts'
import { toast } from '../base/toast.ts'
import { tokenStorage } from './tokens.ts'

export type RequestOptions = {
  /** Shows no toast on refusal; the caller shows it. */
  quiet?: boolean
  /** Leaves out the Basic header of the client. */
  basic?: false
  /** Leaves out the user's token. */
  token?: false
  headers?: Record<string, string>
  signal?: AbortSignal
}

/**
 * Error of a refused or failed call. `status` is the code of the body, otherwise that of HTTP, and 0 without an answer.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: number
  readonly msg: string
  readonly data: unknown
  constructor(status: number, msg: string, data: unknown = {}) {
    super(msg)
    this.name = 'ApiError'
    this.status = status
    this.code = status
    this.msg = msg
    this.data = data
  }
}

type Envelope = { code?: number; success?: boolean; data?: unknown; msg?: string; error_description?: string }

const words = {
  unknown: { zh: '未知错误', en: 'Unknown error' },
  offline: { zh: '网络连接失败，请检查网络后重试', en: 'No connection. Check the network and try again.' },
  slow: { zh: '请求超时，请稍后重试', en: 'The request timed out. Try again later.' },
}

/** Functions of the session that requests call. Set once by session.ts, which avoids a circular import. */
export const httpSessionHooks = {
  /** Ends the session; `why` is the server's reason code. */
  expired: (_why?: string) => {},
  renew: async () => {},
}

/** Returns the query string of parameters: leaves out undefined and null, writes arrays as comma lists. */
function queryOf(params: QueryParams = {}) {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined || value === null) continue
    query.append(name, Array.isArray(value) ? value.join(',') : String(value))
  }
  const text = query.toString()
  return text ? `?${text}` : ''
}

const sentToken = (options: RequestOptions) => (options.token === false ? '' : tokenStorage.access())

/** Returns random bytes as hexadecimal digits. */
const digits = (bytes: number) =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

/** Returns a `traceparent` header (W3C Trace Context) with a new trace id, under which the server logs the call. */
const traceparent = () => `00-${digits(16)}-${digits(8)}-01`

export function requestHeaders(options: RequestOptions = {}) {
  const headers: Record<string, string> = {
    'Accept-Language': currentLanguage() === 'en' ? 'en' : 'zh-CN',
    traceparent: traceparent(),
  }
  if (options.basic !== false)
    headers.Authorization = `Basic ${btoa(`${webSettings.clientId}:${webSettings.clientSecret}`)}`
  const token = sentToken(options)
  if (token) headers['Blade-Auth'] = `bearer ${token}`
  return { ...headers, ...options.headers }
}

/** Returns whether an error means that the call awaits approval by others: nothing was done and nothing is wrong. */
export const isHeldForApprovalError = (reason: unknown): reason is ApiError =>
  reason instanceof ApiError && reason.status === 202

/** Returns the server's reason code for the end of a session. */
export const sessionEndReasonOf = (error: ApiError) => (error.data as { ended?: string } | undefined)?.ended

/** A response with the token it was sent with: a late 401 must not end a session that was renewed or started since. */
type SentRequest = { response: Response; token: string }

function refuse(error: ApiError, options: RequestOptions, token = ''): never {
  const isOver = error.status === 401 && token !== '' && token === tokenStorage.access()
  // The session ends, since the new password is asked for at the next sign-in.
  const isFirstDue = (error.data as { reason?: unknown } | null)?.reason === 'password_must_change'
  if (isOver || isFirstDue) httpSessionHooks.expired(sessionEndReasonOf(error))
  // No toast for an ended session: the sign-in page shows the reason.
  if (!isOver && !options.quiet && !webSettings.silentCodes.includes(error.code))
    toast[isHeldForApprovalError(error) ? 'info' : 'error'](error.msg)
  throw error
}

function open(body: unknown, httpStatus: number, options: RequestOptions, token: string) {
  const envelope = (body && typeof body === 'object' && !Array.isArray(body) ? body : {}) as Envelope
  const status = envelope.code || httpStatus
  if (status !== 200) {
    const msg = envelope.msg || envelope.error_description || localizeForUser(words.unknown)
    refuse(new ApiError(status, msg, envelope.data), options, token)
  }
  return 'data' in envelope && ('code' in envelope || 'success' in envelope) ? envelope.data : body
}

function failed(reason: unknown, options: RequestOptions): never {
  const name = reason instanceof Error ? reason.name : ''
  if (name === 'AbortError') throw reason
  void waitForServer()
  refuse(new ApiError(0, localizeForUser(name === 'TimeoutError' ? words.slow : words.offline)), options)
}

async function sendRequest(
  method: string,
  url: string,
  body: BodyInit | undefined,
  options: RequestOptions,
): Promise<SentRequest> {
  if (options.token !== false && tokenStorage.access() && tokenStorage.age() >= webSettings.tokenTime)
    await httpSessionHooks.renew()
  const headers = requestHeaders(options)
  const token = sentToken(options)
  if (typeof body === 'string') headers['Content-Type'] = 'application/json;charset=utf-8'
  const timeout = AbortSignal.timeout(webSettings.requestTimeout)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  try {
    return {
      token,
      response: await fetchOrTakePrefetched(url, { method, headers, body, signal, credentials: 'include' }),
    }
  } catch (reason) {
    return failed(reason, options)
  }
}

async function json(response: Response) {
  const text = await response.text()
  try {
    return text ? (JSON.parse(text) as unknown) : {}
  } catch {
    return {}
  }
}

/** Sends a GET and returns the payload of the envelope. Refusals are shown as a toast and thrown as ApiError. */
export async function apiGet<T = unknown>(
  path: string,
  params?: QueryParams,
  options: RequestOptions = {},
): Promise<T> {
  const here = findLocalResponse(path, params)
  if (here !== undefined) return here as T
  const { response, token } = await sendRequest('GET', path + queryOf(params), undefined, options)
  return open(await json(response), response.status, options, token) as T
}

/** Returns the payload of a GET that the page prefetched and received already; otherwise undefined. */
export function prefetchedPayload<T>(path: string, params?: QueryParams): T | undefined {
  const body = peekPrefetchedData(path + queryOf(params), requestHeaders()) as Envelope | undefined
  return body?.code === 200 ? (body.data as T) : undefined
}

/** Sends a POST with query parameters, a JSON body or both; returns and throws as `apiGet` does. */
export async function apiPost<T = unknown>(
  path: string,
  content: { query?: QueryParams; body?: unknown } = {},
  options: RequestOptions = {},
): Promise<T> {
  const here = findLocalResponse(path, content.query)
  if (here !== undefined) return here as T
  const body = content.body === undefined ? undefined : JSON.stringify(content.body)
  const { response, token } = await sendRequest('POST', path + queryOf(content.query), body, options)
  return open(await json(response), response.status, options, token) as T
}

export type UploadOptions = RequestOptions & {
  /** Name of the file's form part; `file` by default. */
  field?: string
  query?: QueryParams
  /** Further form parts, by name. */
  parts?: Record<string, string>
  /** Called with the uploaded part of the file, 0 to 1. */
  onProgress?: (share: number) => void
}

/** Sends one or more files as a form and returns the payload; throws as `apiGet` does. */
export async function apiUpload<T = unknown>(
  path: string,
  file: Blob | readonly Blob[],
  options: UploadOptions = {},
): Promise<T> {
  if (tokenStorage.access() && tokenStorage.age() >= webSettings.tokenTime) await httpSessionHooks.renew()
  const form = new FormData()
  for (const [name, value] of Object.entries(options.parts ?? {})) form.append(name, value)
  for (const one of [file].flat()) form.append(options.field ?? 'file', one)
  const token = sentToken(options)
  const { status, text } = await sendForm(path + queryOf(options.query), form, options)
  return open(await json(new Response(text)), status, options, token) as T
}

// Uses XMLHttpRequest, because fetch reports no upload progress.
function sendForm(url: string, form: FormData, options: UploadOptions) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.withCredentials = true
    request.timeout = webSettings.requestTimeout
    for (const [name, value] of Object.entries(requestHeaders(options))) request.setRequestHeader(name, value)
    request.upload.onprogress = (event) => options.onProgress?.(event.total ? event.loaded / event.total : 0)
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    request.onerror = () => reject(new Error('offline'))
    request.ontimeout = () => reject(new DOMException('slow', 'TimeoutError'))
    request.onabort = () => reject(new DOMException('aborted', 'AbortError'))
    options.signal?.addEventListener('abort', () => request.abort())
    request.send(form)
  }).catch((reason: unknown) => failed(reason, options))
}

function nameOf(response: Response, path: string) {
  const header = response.headers.get('Content-Disposition') ?? ''
  const encoded = /filename\*=(?:UTF-8'')?([^;]+)/i.exec(header)?.[1]
  const plain = /filename="?([^";]+)"?/i.exec(header)?.[1]
  const last = path.split('?')[0]?.split('/').pop() || 'download'
  try {
    return decodeURIComponent(encoded ?? plain ?? last)
  } catch {
    return plain ?? last
  }
}

/** Saves the answer of a GET as a file, named by the server unless `name` is given. */
export async function apiDownload(
  path: string,
  params?: QueryParams,
  options: RequestOptions & { name?: string } = {},
): Promise<void> {
  const { response, token } = await sendRequest('GET', path + queryOf(params), undefined, options)
  const type = response.headers.get('Content-Type') ?? ''
  if (response.status !== 200 || (type.includes('json') && !response.headers.has('Content-Disposition'))) {
    open(await json(response), response.status, options, token)
    return
  }
  const link = document.createElement('a')
  link.href = URL.createObjectURL(await response.blob())
  link.download = options.name ?? nameOf(response, path)
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
