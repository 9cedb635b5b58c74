import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { sharedEgressAgents } from './egress.ts'
import { parseUntrustedJson } from '../outside-json.ts'

/**
 * As many bytes as an answer may have: one that is read as JSON, one picture, sound or piece of a film, and a file that
 * is read in pieces. JSON of this size keeps the event loop for less than 50 ms, whatever it says.
 */
export const RESPONSE_BYTES_MAX = { json: 1024 * 1024, media: 8 * 1024 * 1024, file: 32 * 1024 * 1024 } as const

type Question = {
  url: string
  method?: 'GET' | 'POST'
  body?: string | Buffer
  contentType?: string
  headers?: Record<string, string>
  /** The address was written by who may point the server at hosts beside it. */
  mayBeInside?: boolean
}

type ExternalRequest = Question & {
  timeoutMs: number
  /** What is answered when all goes well; JSON unless said. */
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
 * Asks a provider and answers once it begins to answer, for what comes piece by piece. Whoever asks reads to the end or
 * aborts, and bounds what they keep. Follows no redirect.
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

/** Asks a provider and reads what it answers, whatever the status. Follows no redirect. */
export async function requestExternal({
  timeoutMs,
  answers = 'json',
  ...question
}: ExternalRequest): Promise<ExternalResponse> {
  const response = await openExternalStream({ ...question, signal: AbortSignal.timeout(timeoutMs) })
  const status = response.statusCode ?? 0
  // What went wrong is told in JSON, whatever was asked for.
  const body = await readBody(response, RESPONSE_BYTES_MAX[status < 300 ? answers : 'json'])
  return {
    status,
    contentType: response.headers['content-type'] ?? '',
    headers: response.headers,
    body,
  }
}

/** All that is answered; throws where that is more than so many bytes. */
export async function readBody(response: IncomingMessage, bytesMax: number): Promise<Buffer> {
  // What says how long it is need not come to be too long.
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

/** Posts to a provider, as `requestExternal` asks. */
export const postExternal = (call: Post): Promise<ExternalResponse> => requestExternal({ ...call, method: 'POST' })

/** Posts and reads JSON whatever the status: providers say what was wrong in the body. */
export async function postExternalJson(call: Post): Promise<Record<string, any>> {
  const answer = await postExternal({ ...call, headers: { accept: 'application/json', ...call.headers } })
  try {
    return parseUntrustedJson(answer.body.toString('utf8'))
  } catch {
    // What answered is no provider: what it said is nobody's business.
    throw new Error(`HTTP ${answer.status} without JSON`)
  }
}
