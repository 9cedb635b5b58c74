import { once } from 'node:events'
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type ProxiedRequest = { method: string; path: string; body: string }

/**
 * Starts a proxy before a simulator. Requests that `isHeld` names get no answer: in mode `before` they do not arrive,
 * in `after` they are executed first.
 */
export async function startStallingProxy(target: string, isHeld: (request: ProxiedRequest) => string | undefined) {
  const proxy = {
    url: '',
    mode: 'pass' as 'pass' | 'before' | 'after',
    /** Names of the requests held now. */
    held: new Set<string>(),
    /** Drops the held connections: the callers never learn the outcome. */
    letGo: (): void => {
      proxy.held.clear()
      server.closeAllConnections()
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  const forward = async (request: IncomingMessage, body: Buffer): Promise<IncomingMessage> => {
    const { method, url, headers } = request
    const out = ask(new URL(url!, target), { method, headers: { ...headers, 'content-length': body.length } })
    out.end(body)
    const [answer] = (await once(out, 'response')) as [IncomingMessage]
    return answer
  }
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request)
    const received = { method: request.method!, path: request.url!, body: body.toString('utf8') }
    const name = proxy.mode === 'pass' ? undefined : isHeld(received)
    if (name && proxy.mode === 'before') return void proxy.held.add(name)
    const answer = await forward(request, body)
    const content = await buffer(answer)
    if (name) return void proxy.held.add(name)
    response.writeHead(answer.statusCode!, answer.headers).end(content)
  }
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return proxy
}
