import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

/** Who takes longer to be answered than this is cut off. */
const PATIENCE_MS = 10_000
const LOOK_MS = 20

/** The way out of a server that others stand beside: no call it has taken is cut. */
type Drain = {
  /** On its way out: health and every answer say so. */
  isOn: () => boolean
  /** Still serves everybody while health says no: so long a proxy may take to see that. */
  begin: (aheadMs: number) => Promise<void>
  /** Closes the port, and each connection as soon as nobody waits for an answer any more. */
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
    // Whoever asks next on this connection is led elsewhere.
    if (isOn) void reply.header('connection', 'close')
  })
  return {
    isOn: () => isOn,
    begin: async (aheadMs) => {
      isOn = true
      await pause(aheadMs)
    },
    close: async () => {
      const until = performance.now() + PATIENCE_MS
      const look = setInterval(() => {
        if (!waiting || performance.now() > until) http.server.closeAllConnections()
      }, LOOK_MS)
      await http.close()
      clearInterval(look)
    },
  }
}
