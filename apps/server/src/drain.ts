import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Time for open calls to be answered before their connections are cut. */
const DRAIN_TIMEOUT_MS = 10_000
const LOOK_MS = 20

/** Shuts down a server behind a proxy without cutting off a call it has accepted. */
type Drain = {
  /** True from `begin` on: the health check then says so, and every answer closes its connection. */
  isOn: () => boolean
  /** Reports unready and goes on serving for `aheadMs`, the time a proxy needs to notice. */
  begin: (noticeMs: number) => Promise<void>
  /** Closes the port, and the connections once no call is being answered, at the latest after ten seconds. */
  close: () => Promise<void>
}

export function createConnectionDrain(http: FastifyInstance): Drain {
  let isOn = false
  let waiting = 0
  http.server.on('request', (_request, response: ServerResponse) => {
    waiting++
    response.once('close', () => waiting--)
  })
  http.addHook('onSend', async (_request, reply) => {
    // The client's next call opens a new connection, which the proxy sends to another server.
    if (isOn) void reply.header('connection', 'close')
  })
  return {
    isOn: () => isOn,
    begin: async (noticeMs) => {
      isOn = true
      await pause(noticeMs)
    },
    close: async () => {
      const until = performance.now() + DRAIN_TIMEOUT_MS
      const look = setInterval(() => {
        if (!waiting || performance.now() > until) http.server.closeAllConnections()
      }, LOOK_MS)
      await http.close()
      clearInterval(look)
    },
  }
}
