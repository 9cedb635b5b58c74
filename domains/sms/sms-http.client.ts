import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { agentsForOutside } from '#kit/server/request/outside.ts'

type Call = {
  url: string
  body: string
  contentType: string
  headers?: Record<string, string>
  timeoutMs: number
  mayBeInside?: boolean
}

/** Posts and reads JSON whatever the status: providers say what was wrong in the body. Follows no redirect. */
export async function post({
  url,
  body,
  contentType,
  headers = {},
  timeoutMs,
  mayBeInside = false,
}: Call): Promise<Record<string, any>> {
  const target = new URL(url)
  const isTls = target.protocol === 'https:'
  const agents = agentsForOutside()
  const answer = await new Promise<{ status: number; body: string }>((done, fail) => {
    const request = (isTls ? requestHttps : requestHttp)(
      target,
      {
        method: 'POST',
        ...(mayBeInside ? {} : { agent: isTls ? agents.https : agents.http }),
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          'content-type': contentType,
          accept: 'application/json',
          'content-length': Buffer.byteLength(body),
          ...headers,
        },
      },
      (response) => void text(response).then((read) => done({ status: response.statusCode ?? 0, body: read }), fail),
    )
    request.on('error', fail).end(body)
  })
  try {
    return JSON.parse(answer.body)
  } catch {
    // What answered is no provider: what it said is nobody's business.
    throw new Error(`HTTP ${answer.status} without JSON`)
  }
}
