import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { sharedEgressAgents } from './egress.ts'
import { parseUntrustedJson } from '../base/outside-json.ts'

/**
 * Maximum size of responses in bytes: of JSON, of one picture, sound or film segment (`media`), and of a file read in
 * parts. Parsing JSON of this size blocks the event loop for less than 50 ms.
 */
export const RESPONSE_BYTES_MAX = { json: 1024 * 1024, media: 8 * 1024 * 1024, file: 32 * 1024 * 1024 } as const

type Question = {
  url: string
  method?: 'GET' | 'POST'
  body?: string | Buffer
  contentType?: string
  headers?: Record<string, string>
  /** May connect to private addresses, as someone who is allowed to (the platform) entered the URL. */
  mayBeInside?: boolean
}

type ExternalRequest = Question & {
  timeoutMs: number
  /** Kind of the successful response, which sets its maximum size; JSON if absent. */
  answers?: keyof typeof RESPONSE_BYTES_MAX
}

type Post = ExternalRequest & { body: string; contentType: string }

export type ExternalResponse = {
  status: number
  contentType: string
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

/**
 * Sends a request and resolves with the response as a stream once it begins. The caller must read it to the end or
 * abort, and limit what it keeps. Redirects are not followed.
 */
export function openExternalStream(question: Question & { signal: AbortSignal }): Promise<IncomingMessage> {
  const { url, method = 'GET', body, contentType, headers = {}, mayBeInside = false, signal } = question
  const target = new URL(url)
  const isTls = target.protocol === 'https:'
  const agents = sharedEgressAgents()
  return new Promise((done, fail) => {
    const request = (isTls ? requestHttps : requestHttp)(
      target,
      {
        method,
        ...(mayBeInside ? {} : { agent: isTls ? agents.https : agents.http }),
        signal,
        headers: {
          ...(contentType ? { 'content-type': contentType } : {}),
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      done,
    )
    request.on('error', fail).end(body)
  })
}

/** Sends a request and reads the whole response, whatever its status. Redirects are not followed. */
export async function requestExternal({
  timeoutMs,
  answers = 'json',
  ...question
}: ExternalRequest): Promise<ExternalResponse> {
  const response = await openExternalStream({ ...question, signal: AbortSignal.timeout(timeoutMs) })
  const status = response.statusCode ?? 0
  // Errors are JSON, whatever kind was requested.
  const body = await readResponseBody(response, RESPONSE_BYTES_MAX[status < 300 ? answers : 'json'])
  return {
    status,
    contentType: response.headers['content-type'] ?? '',
    headers: response.headers,
    body,
  }
}

/** Reads a body; throws if it is longer than `bytesMax`. */
export async function readResponseBody(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  // Do not even download a body that announces it is too long.
  if (Number(response.headers['content-length'] ?? 0) > bytesMax) {
    response.destroy()
    throw new Error('the answer is too long')
  }
  const parts: Buffer[] = []
  let length = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part)
    length += part.length
    if (length > bytesMax) throw new Error('the answer is too long')
  }
  return Buffer.concat(parts)
}

/** Like `requestExternal`, with method POST. */
export const postExternal = (call: Post): Promise<ExternalResponse> => requestExternal({ ...call, method: 'POST' })

/**
 * Posts and parses the JSON response, whatever its status: providers put error details in the body. Throws if it is no
 * JSON.
 */
export async function postExternalJson(call: Post): Promise<Record<string, any>> {
  const answer = await postExternal({ ...call, headers: { accept: 'application/json', ...call.headers } })
  try {
    return parseUntrustedJson(answer.body.toString('utf8'))
  } catch {
    // Not the provider's own answer (a proxy's page, for example), so its text is not passed on.
    throw new Error(`HTTP ${answer.status} without JSON`)
  }
}
