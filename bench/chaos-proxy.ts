// A minimal proxy before several nodes. It checks their health, uses only healthy ones, and retries on another node
// calls that no node received and calls that only read. Real proxies do it better (docs/operations.md).
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const LOOK_MS = 500
const CHECK_TIMEOUT_MS = 2000

export type Proxy = {
  url: string
  again: () => number
  /** Number of nodes it uses now. */
  ready: () => number
  close: () => void
}
type Node = { port: number }

async function isWell({ port }: Node): Promise<boolean> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS)
  const ready = `http://127.0.0.1:${port}/api/health/ready`
  const answer = await fetch(ready, { method: 'HEAD', signal }).catch(() => undefined)
  return answer?.status === 200
}

/** Returns a node's answer. The error has `isUnseen` when the node cannot have received the call. */
function forwardRequest(node: Node, received: IncomingMessage, body: Buffer, agent: Agent): Promise<IncomingMessage> {
  const { method, url: path, headers } = received
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: node.port, method, path, headers, agent }, resolve)
    call.once('error', (error: NodeJS.ErrnoException) =>
      reject(Object.assign(error, { isUnseen: error.code === 'ECONNREFUSED' })),
    )
    call.end(body)
  })
}

export async function startProxy(nodes: readonly Node[]): Promise<Proxy> {
  const agent = new Agent({ keepAlive: true })
  let well: readonly Node[] = nodes
  let turn = 0
  let again = 0
  const look = setInterval(() => {
    void Promise.all(nodes.map(isWell)).then((states) => (well = nodes.filter((_node, n) => states[n])))
  }, LOOK_MS)

  async function lead(received: IncomingMessage, answer: ServerResponse): Promise<void> {
    const body = await buffer(received)
    const tried = new Set<Node>()
    for (;;) {
      // When none is healthy, a node answers that itself.
      const choice = (well.length ? well : nodes).filter((node) => !tried.has(node))
      const node = choice[turn++ % choice.length] ?? nodes[0]!
      try {
        const from = await forwardRequest(node, received, body, agent)
        answer.writeHead(from.statusCode!, from.headers)
        return void from.pipe(answer)
      } catch (error) {
        const mayRepeat = (error as { isUnseen?: boolean }).isUnseen || received.method === 'GET'
        tried.add(node)
        if (!mayRepeat || tried.size > 1) return void answer.destroy()
        again++
      }
    }
  }

  const server = createServer((received, answer) => void lead(received, answer).catch(() => answer.destroy()))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    again: () => again,
    ready: () => well.length,
    close: () => {
      clearInterval(look)
      server.close()
      server.closeAllConnections()
      agent.destroy()
    },
  }
}
