import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { deviceOrder, faultValue, FAULTS, type FaultOrder } from './faults.ts'
import type { Fleet } from './fleet.ts'
import type { Gateway } from './gateway.ts'
import type { DevicePayload } from './protocol.ts'

type Reply = { status: number; body: unknown }
export type Control = { url: string; close(): Promise<void> }

const ok = (body: unknown): Reply => ({ status: 200, body })
const refuse = (status: number, error: string): Reply => ({ status, body: { error } })
const BRIEF = 1_000

/** Actions of people at a device, for requests `{act, clientId, …}`. */
const ACTS: Record<string, (gateway: Gateway, order: DevicePayload) => boolean> = {
  forceDoor: ({ parts }, { doorNo }) => parts.doors.force(Number(doorNo)),
  blockDoor: ({ parts }, { doorNo }) => parts.doors.block(Number(doorNo), true),
  freeDoor: ({ parts }, { doorNo }) => parts.doors.block(Number(doorNo), false),
  loseTag: ({ parts }, { tagId }) => parts.tags.lose(String(tagId), true),
  findTag: ({ parts }, { tagId }) => parts.tags.lose(String(tagId), false),
  visit({ parts }, { doorNo, openid, phone, code, stayMs }) {
    if (!parts.doors.doorOf(doorNo)) return false
    const visitor = Object.fromEntries(
      Object.entries({ openid, phone, code }).map(([key, one]) => [key, one as string]),
    )
    parts.visits.arrive({ doorNo: doorNo as number, ...visitor, ...(typeof stayMs === 'number' && { stayMs }) })
    return true
  },
}

function whole(gateway: Gateway): unknown {
  const { clientId, credentials, parts, ledger } = gateway
  return {
    clientId,
    kind: credentials.kind,
    faults: gateway.faults(),
    figures: gateway.figures(),
    state: parts.state(),
    tags: parts.tags.all(),
    printed: parts.printers.printed,
    played: parts.speaker.played,
    deeds: [...ledger.commands.values()],
    acts: ledger.acts,
  }
}

/** Parses an order of faults from a request; undefined when it is not valid. */
export function faultOrder(body: DevicePayload): FaultOrder | undefined {
  const { faults, share, clientIds } = body
  if (typeof faults !== 'object' || faults === null) return undefined
  const entries = Object.entries(faults).map(([name, value]) => [name, faultValue(name, value)] as const)
  if (!entries.length || entries.some(([, value]) => value === undefined)) return undefined
  if (share !== undefined && (typeof share !== 'number' || share < 0 || share > 1)) return undefined
  if (clientIds !== undefined && !Array.isArray(clientIds)) return undefined
  return {
    faults: Object.fromEntries(entries),
    ...(share === undefined ? {} : { share }),
    ...(clientIds === undefined ? {} : { clientIds: clientIds.map(String) }),
  }
}

function read(fleet: Fleet, url: URL): Reply {
  if (url.pathname === '/state') return ok(fleet.figures())
  if (url.pathname === '/faults') return ok({ known: FAULTS })
  if (url.pathname === '/gateways')
    return ok(
      [...fleet.gateways.values()]
        .slice(0, BRIEF)
        .map((one) => ({ clientId: one.clientId, faults: one.faults(), ...one.figures() })),
    )
  const gateway = fleet.gateways.get(decodeURIComponent(/^\/gateways\/([^/]+)$/.exec(url.pathname)?.[1] ?? ''))
  return gateway ? ok(whole(gateway)) : refuse(404, 'not found')
}

function change(fleet: Fleet, path: string, body: DevicePayload): Reply {
  if (path === '/faults') {
    const parsed = faultOrder(body)
    const order = parsed && deviceOrder(parsed)
    return order ? ok({ changed: fleet.order(order) }) : refuse(400, 'the order is not understood')
  }
  if (path !== '/acts') return refuse(404, 'not found')
  const gateway = fleet.gateways.get(String(body.clientId))
  const act = Object.hasOwn(ACTS, String(body.act)) ? ACTS[String(body.act)] : undefined
  if (!gateway || !act) return refuse(404, 'no such gateway or act')
  return act(gateway, body) ? ok({ done: true }) : refuse(400, 'not possible')
}

async function handleRequest(fleet: Fleet, request: IncomingMessage): Promise<Reply> {
  const url = new URL(request.url!, 'http://127.0.0.1')
  if (request.method === 'GET') return read(fleet, url)
  // A web page on another origin cannot send this content type without a preflight request.
  if (request.method !== 'POST' || request.headers['content-type'] !== 'application/json')
    return refuse(405, 'POST with application/json')
  const body = await json(request).catch(() => undefined)
  return typeof body === 'object' && body !== null
    ? change(fleet, url.pathname, body as DevicePayload)
    : refuse(400, 'no JSON object')
}

/** Serves the control of a fleet on loopback: GET /state, /gateways, /gateways/{clientId}; POST /faults, /acts. */
export async function startControl(fleet: Fleet, port = 0): Promise<Control> {
  const say = (response: ServerResponse, { status, body }: Reply) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const server = createServer(
    (request, response) =>
      void handleRequest(fleet, request).then(
        (reply) => say(response, reply),
        () => say(response, refuse(400, 'not understood')),
      ),
  )
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
