import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { agentsForOutside } from './outside.ts'

type Ask = {
  url: string
  method?: 'GET' | 'POST'
  body?: string | Buffer
  contentType?: string
  headers?: Record<string, string>
  timeoutMs: number
  /** The address was written by who may point the server at hosts beside it. */
  mayBeInside?: boolean
}

type Post = Ask & { body: string; contentType: string }

type OutsideReply = { status: number; contentType: string; body: Buffer }

const BYTES_MAX = 32 * 1024 * 1024

/** Asks a provider and reads what it answers, whatever the status. Follows no redirect. */
export function askOutside({
  url,
  method = 'GET',
  body,
  contentType,
  headers = {},
  timeoutMs,
  mayBeInside = false,
}: Ask): Promise<OutsideReply> {
  const target = new URL(url)
  const isTls = target.protocol === 'https:'
  const agents = agentsForOutside()
  return new Promise((done, fail) => {
    const request = (isTls ? requestHttps : requestHttp)(
      target,
      {
        method,
        ...(mayBeInside ? {} : { agent: isTls ? agents.https : agents.http }),
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          ...(contentType ? { 'content-type': contentType } : {}),
          ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        const parts: Buffer[] = []
        let length = 0
        response.on('data', (part: Buffer) => {
          parts.push(part)
          length += part.length
          if (length > BYTES_MAX) response.destroy(new Error('the answer is too long'))
        })
        response.on('error', fail)
        response.on('end', () =>
          done({
            status: response.statusCode ?? 0,
            contentType: response.headers['content-type'] ?? '',
            body: Buffer.concat(parts),
          }),
        )
      },
    )
    request.on('error', fail).end(body)
  })
}

/** Posts to a provider, as `askOutside` asks. */
export const postOutside = (call: Post): Promise<OutsideReply> => askOutside({ ...call, method: 'POST' })

/** Posts and reads JSON whatever the status: providers say what was wrong in the body. */
export async function post(call: Post): Promise<Record<string, any>> {
  const answer = await postOutside({ ...call, headers: { accept: 'application/json', ...call.headers } })
  try {
    return JSON.parse(answer.body.toString('utf8'))
  } catch {
    // What answered is no provider: what it said is nobody's business.
    throw new Error(`HTTP ${answer.status} without JSON`)
  }
}
