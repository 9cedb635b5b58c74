import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A TCP proxy before a real server, which can hold or cut connections. */
export type TcpProxy = {
  port: number
  /** Returns the same address through the proxy. */
  urlOf: (url: string) => string
  /** Holds all data without closing, as a server that hangs; `release` lets it through. */
  hold: () => void
  release: () => void
  /** Cuts all connections; new ones are accepted. */
  cut: () => void
  /** Cuts the next connection when it is made. Resolves then. */
  cutNext: () => Promise<void>
  /** Number of connections accepted so far. */
  entered: () => number
  /** Cuts all connections and accepts no new ones. */
  shut: () => void
}

/** Removes the socket's folder from a database address, so that connections use the port. */
export function byPort(url: string): string {
  const plain = new URL(url)
  plain.searchParams.delete('host')
  return plain.href
}

export async function openTcpProxy(target: string, usualPort: number): Promise<TcpProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isHeld = false
  let entered = 0
  let onNext: (() => void) | undefined
  const server = createServer((socket) => {
    if (onNext) {
      socket.resetAndDestroy()
      onNext()
      onNext = undefined
      return
    }
    entered++
    const beyond = connect(Number(port || usualPort), hostname)
    for (const [one, other] of [
      [socket, beyond],
      [beyond, socket],
    ] as const) {
      sockets.add(one)
      if (isHeld) one.pause()
      one.on('data', (part: Buffer) => other.write(part))
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
      if (isHeld) one.pause()
    }
  })

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = (server.address() as { port: number }).port
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }

  return {
    port: own,
    urlOf: (url) => {
      const through = new URL(byPort(url))
      through.hostname = '127.0.0.1'
      through.port = String(own)
      return through.href
    },
    hold: () => {
      isHeld = true
      for (const socket of sockets) socket.pause()
    },
    release: () => {
      isHeld = false
      for (const socket of sockets) socket.resume()
    },
    cut,
    cutNext: () => new Promise((resolve) => (onNext = resolve)),
    entered: () => entered,
    shut: () => {
      server.close()
      cut()
    },
  }
}
