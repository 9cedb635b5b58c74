import { randomUUID } from 'node:crypto'
import { callVendor, VendorError } from '#domains/platform/external-apis/api.ts'
import { logExternalCall } from '#domains/platform/logs/api.ts'
import { classifyExternalFailure, isUnsentRequestError } from '#kit/server/request/egress.ts'
import { readResponseBody, openExternalStream, type ExternalResponse } from '#kit/server/request/external-request.ts'
import type { Services } from '#kit/server/module/services.ts'
import { parseDifyEvents, type DifyEvent } from './dify-events.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

/** URL, key and user with which a Dify application is called. */
export type DifyAccess = {
  services: Services
  tenantId: string
  /** Base address, such as `https://api.dify.ai/v1`. */
  base: string
  key: string
  mayBeInside: boolean
  /** User of a run in Dify; only the same user can stop or resume it. */
  user: string
}

/** A run as returned by `GET /workflows/run/{id}` and in the data of `workflow_finished`. */
export type DifyRun = {
  id: string
  status: 'running' | 'succeeded' | 'failed' | 'stopped' | 'partial-succeeded' | 'paused'
  outputs?: unknown
  error?: string | null
  total_tokens?: number | null
  elapsed_time?: number | null
}

type DifyFile = { type: 'image'; transfer_method: 'local_file'; upload_file_id: string }

/**
 * Timeouts in ms: of a request, of silence in a stream (Dify pings about every ten seconds), and of a whole run. Tests
 * shorten them.
 */
export const difyTimeouts = { askMs: 15_000, idleMs: 60_000, totalMs: 15 * 60_000 }

const ERROR_BYTES_MAX = 64 * 1024

/** Converts an error response of Dify to a `VendorError`. Below status 500 nothing was started. */
function faultOf(status: number, body: Buffer): VendorError {
  const error = jsonOf(body)
  const code = typeof error?.code === 'string' ? error.code.slice(0, 100) : `HTTP ${status}`
  const message = typeof error?.message === 'string' ? error.message.slice(0, 300) : `HTTP ${status}`
  const isBusy = status === 429 && code !== 'rate_limit_error'
  return new VendorError({
    system: 'dify',
    code,
    message,
    httpStatus: status,
    isRetryable: isBusy || status >= 500,
    isUndone: status < 500,
  })
}

function jsonOf(body: Buffer): Record<string, any> | undefined {
  try {
    const value: unknown = parseUntrustedJson(body.toString('utf8'))
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

const at = ({ base }: DifyAccess, path: string) => `${base.endsWith('/') ? base.slice(0, -1) : base}${path}`
const authorised = ({ key }: DifyAccess) => ({ authorization: `Bearer ${key}`, accept: 'application/json' })

type DifyRequest = {
  method: 'GET' | 'POST'
  path: string
  body?: object | Buffer
  contentType?: string
  shown?: unknown
}

async function requestDify(
  access: DifyAccess,
  { method, path, body, contentType, shown }: DifyRequest,
): Promise<Record<string, any>> {
  const { services, tenantId, mayBeInside } = access
  const reply: ExternalResponse = await callVendor(services, {
    tenantId,
    system: 'dify',
    method,
    url: at(access, path),
    headers: authorised(access),
    ...(body ? { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) } : {}),
    ...(body ? { contentType: contentType ?? 'application/json' } : {}),
    timeoutMs: difyTimeouts.askMs,
    mayBeInside,
    shown,
    read: ({ status, body: errorBody }) => ({ bizCode: status < 300 ? 'OK' : String(jsonOf(errorBody)?.code ?? '') }),
  })
  if (reply.status >= 300) throw faultOf(reply.status, reply.body)
  const found = jsonOf(reply.body)
  if (found) return found
  throw new VendorError({
    system: 'dify',
    code: 'malformed',
    message: 'what came is no JSON',
    httpStatus: reply.status,
    isRetryable: false,
    isUndone: false,
  })
}

/** Returns name and details of the application; also used to check URL and key. */
export const fetchDifyAppInfo = (access: DifyAccess) => requestDify(access, { method: 'GET', path: '/info' })

/** Uploads a picture for a run of the same user; returns the reference for the run's inputs. */
export async function uploadPicture(access: DifyAccess, bytes: Buffer, extension: string): Promise<DifyFile> {
  const edge = `----${randomUUID()}`
  const type = extension === 'jpg' || extension === 'jpeg' ? 'image/jpeg' : `image/${extension}`
  const part = (head: string, value: string | Buffer) => [
    Buffer.from(`--${edge}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]
  const body = Buffer.concat([
    ...part('name="user"', access.user),
    ...part(`name="file"; filename="picture.${extension}"\r\nContent-Type: ${type}`, bytes),
    Buffer.from(`--${edge}--\r\n`),
  ])
  const contentType = `multipart/form-data; boundary=${edge}`
  const shown = { bytes: bytes.length }
  const { id } = await requestDify(access, { method: 'POST', path: '/files/upload', body, contentType, shown })
  return { type: 'image', transfer_method: 'local_file', upload_file_id: String(id) }
}

const runBody = ({ user }: DifyAccess, inputs: object) => ({ inputs, response_mode: 'streaming', user })

/** Starts a run and yields its events until it ends. */
export const startDifyRunStream = (
  access: DifyAccess,
  inputs: object,
  signal: AbortSignal,
): AsyncGenerator<DifyEvent> =>
  streamed(access, { method: 'POST', path: '/workflows/run', body: runBody(access, inputs) }, signal)

/** Yields the further events of a run that was started before. */
export const resumeDifyRunStream = (
  access: DifyAccess,
  runId: string,
  signal: AbortSignal,
): AsyncGenerator<DifyEvent> => {
  const query = new URLSearchParams({ user: access.user, include_state_snapshot: 'true' })
  return streamed(access, { method: 'GET', path: `/workflow/${encodeURIComponent(runId)}/events?${query}` }, signal)
}

/** Requests the end of a streaming run; Dify reports it in the stream. */
export async function stopDifyRun(access: DifyAccess, taskId: string): Promise<void> {
  const path = `/workflows/tasks/${encodeURIComponent(taskId)}/stop`
  await requestDify(access, { method: 'POST', path, body: { user: access.user } })
}

export const fetchDifyRun = async (access: DifyAccess, runId: string): Promise<DifyRun> =>
  (await requestDify(access, { method: 'GET', path: `/workflows/run/${encodeURIComponent(runId)}` })) as DifyRun

/** Returns the id of the run whose inputs contain `word`; undefined if Dify has not logged it. */
export async function findDifyRunId(access: DifyAccess, word: string): Promise<string | undefined> {
  const query = new URLSearchParams({ keyword: word, page: '1', limit: '5' })
  const { data } = await requestDify(access, { method: 'GET', path: `/workflows/logs?${query}` })
  const first = Array.isArray(data) ? data[0]?.workflow_run?.id : undefined
  return typeof first === 'string' ? first : undefined
}

const lost = (code: string, message: string, cause?: unknown) =>
  new VendorError({ system: 'dify', code, message, isRetryable: true, isUndone: isUnsentRequestError(cause), cause })

/** Aborts when nothing has arrived for `idleMs`; `restartTimer` restarts the time. */
function idleWatch(idleMs: number) {
  const controller = new AbortController()
  let timer: NodeJS.Timeout
  const restartTimer = () => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(new DOMException('nothing came', 'TimeoutError')), idleMs)
    timer.unref()
  }
  restartTimer()
  return { signal: controller.signal, restartTimer, end: () => clearTimeout(timer) }
}

async function* streamed(access: DifyAccess, question: DifyRequest, outer: AbortSignal): AsyncGenerator<DifyEvent> {
  const { services, tenantId, mayBeInside } = access
  const { method, path, body } = question
  const started = performance.now()
  const note = (httpStatus: number | undefined, bizCode: string) =>
    logExternalCall(services, {
      tenantId,
      system: 'dify',
      method,
      url: at(access, path),
      request: body,
      bizCode,
      ...(httpStatus ? { httpStatus } : {}),
      costMs: performance.now() - started,
    })
  const watch = idleWatch(difyTimeouts.idleMs)
  const signal = AbortSignal.any([outer, watch.signal])
  try {
    const response = await openExternalStream({
      url: at(access, path),
      method,
      headers: { ...authorised(access), accept: 'text/event-stream' },
      ...(body ? { body: JSON.stringify(body), contentType: 'application/json' } : {}),
      mayBeInside,
      signal,
    })
    const status = response.statusCode ?? 0
    note(status, status < 300 ? 'stream' : 'refused')
    if (status >= 300) throw faultOf(status, await readResponseBody(response, ERROR_BYTES_MAX))
    if (!/^text\/event-stream/i.test(response.headers['content-type'] ?? '')) {
      response.destroy()
      throw lost('malformed', 'what came is no stream of events')
    }
    yield* parseDifyEvents(response, watch.restartTimer)
  } catch (error) {
    if (error instanceof VendorError || outer.aborted) throw error
    note(undefined, 'no_answer')
    throw lost('no_answer', `dify did not answer: ${classifyExternalFailure(error)}`, error)
  } finally {
    watch.end()
  }
}
