import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A way to a real server that can be held or shut under whoever uses it. */
export type Door = {
  port: number
  /** The same address through this door. */
  urlOf: (url: string) => string
  /** Nothing passes any more and nobody is told, as with a server that hangs; `release` lets it pass again. */
  hold: () => void
  release: () => void
  /** Cuts who is connected; the door stays open for new ones. */
  cut: () => void
  /** Cuts the next who comes, at the door; resolves when one came. */
  cutNext: () => Promise<void>
  /** How many were let in so far. */
  entered: () => number
  /** Cuts who is connected and lets nobody in. */
  shut: () => void
}

/** A database's address may name a socket as well: without it, so that everybody comes by the port. */
export function byPort(url: string): string {
  const plain = new URL(url)
  plain.searchParams.delete('host')
  return plain.href
}

export async function openDoor(target: string, usualPort: number): Promise<Door> {
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
