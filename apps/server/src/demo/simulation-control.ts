import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { faultOrder } from '#simulators/gateways/control.ts'
import type { DeviceSimulation } from './simulation.ts'

const fileOf = (dataDir: string) => join(dataDir, 'street.json')
const TIMEOUT_MS = 30_000
const USUAL_MINUTES = 4

const isSame = (given: string, right: string) =>
  given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right))

type Body = Record<string, unknown>

const CALLS: Record<string, (simulation: DeviceSimulation, body: Body) => Promise<unknown>> = {
  board: (simulation) => simulation.board(),
  faults: async (simulation, body) => {
    const order = faultOrder(body)
    return order && { changed: await simulation.order(order) }
  },
  adopt: async (simulation, { tenantId }) => {
    await simulation.adopt(String(tenantId))
    return { done: true }
  },
  drop: async (simulation, { tenantId }) => {
    simulation.drop(String(tenantId))
    return { done: true }
  },
  play: async (simulation, { tenantId, minutes }) => ({
    done: simulation.play(String(tenantId), typeof minutes === 'number' ? minutes : USUAL_MINUTES),
  }),
}

/**
 * Serves the simulation's control on loopback: it runs in one process of the machine, and the others and the command
 * line call it. Address and key are written to `street.json` in the data folder. Returns the function that closes it.
 */
export async function serveSimulationControl(
  simulation: DeviceSimulation,
  dataDir: string,
): Promise<() => Promise<void>> {
  const key = randomBytes(24).toString('base64url')
  const answer = async (request: IncomingMessage): Promise<{ status: number; body: unknown }> => {
    if (!isSame(request.headers.authorization ?? '', `Bearer ${key}`)) return { status: 401, body: {} }
    const name = request.url!.slice(1)
    const call = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined
    const body = await call?.(simulation, (await json(request)) as Body)
    return body === undefined ? { status: 400, body: {} } : { status: 200, body }
  }
  const server = createServer(
    (request, response) =>
      void answer(request)
        .catch(() => ({ status: 500, body: {} }))
        .then(({ status, body }) =>
          response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
        ),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await writeFile(fileOf(dataDir), JSON.stringify({ url, key }), { mode: 0o600 })
  return async () => {
    await rm(fileOf(dataDir), { force: true })
    server.closeAllConnections()
    server.close()
    await simulation.close()
  }
}

/** Calls the simulation of this machine. Returns undefined when none is running or the call failed. */
export async function callSimulationControl<T>(
  dataDir: string,
  call: string,
  body: object = {},
): Promise<T | undefined> {
  const content = await readFile(fileOf(dataDir), 'utf8').catch(() => undefined)
  if (!content) return undefined
  const { url, key } = JSON.parse(content) as { url: string; key: string }
  const response = await fetch(`${url}/${call}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(() => undefined)
  return response?.ok ? ((await response.json()) as T) : undefined
}
