import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { createWorld, newRun, type DifyWorld, type Mood, type SimulatedRun } from './world.ts'
import { play } from './play.ts'

export type { Mood } from './world.ts'

export type DifySimulator = DifyWorld & { url: string; close: () => Promise<void> }

const FILE_BYTES_MAX = 10 * 1024 * 1024
const BODY_BYTES_MAX = 12 * 1024 * 1024
const PICTURES: Record<string, string> = { '89504e47': 'png', ffd8ff: 'jpg', '52494646': 'webp', '47494638': 'gif' }

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const no = (response: ServerResponse, status: number, code: string, message: string) =>
  json(response, status, { code, message, status })

type DifySimRequest = {
  world: DifyWorld
  key: string
  path: string
  query: URLSearchParams
  body: Buffer
  type: string
}
type Handler = (request: DifySimRequest, response: ServerResponse, match: RegExpExecArray) => unknown

/**
 * Starts a simulated Dify service with workflow applications, after its API documentation. Calls need a known
 * application key; a run belongs to the application and user that started it; every failure can be set by `mood`.
 */
export async function startDify(options: { port?: number; nodeMs?: number } = {}): Promise<DifySimulator> {
  const world = createWorld(options.nodeMs ?? 150)
  const server = createServer((request, response) => {
    void serve(world, request, response).catch(() => response.destroy())
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(world, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: async () => {
      world.isClosed = true
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

const routes: readonly [method: string, path: RegExp, handler: Handler][] = [
  [
    'GET',
    /^\/v1\/info$/,
    ({ world, key }, response) => json(response, 200, { name: world.apps.get(key)!.name, tags: [] }),
  ],
  ['GET', /^\/v1\/parameters$/, (_request, response) => json(response, 200, { user_input_form: [], file_upload: {} })],
  ['POST', /^\/v1\/files\/upload$/, (request, response) => upload(request, response)],
  ['POST', /^\/v1\/workflows\/run$/, (request, response) => run(request, response)],
  ['GET', /^\/v1\/workflows\/run\/([\w-]+)$/, (request, response, [, id]) => detail(request, response, id!)],
  ['POST', /^\/v1\/workflows\/tasks\/([\w-]+)\/stop$/, (request, response, [, id]) => stop(request, response, id!)],
  ['GET', /^\/v1\/workflow\/([\w-]+)\/events$/, (request, response, [, id]) => resume(request, response, id!)],
  ['GET', /^\/v1\/workflows\/logs$/, (request, response) => logs(request, response)],
]

async function serve(world: DifyWorld, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url!, 'http://localhost')
  const key = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
  world.asked.push(`${request.method} ${url.pathname}`)
  if (world.mood === 'away') return void request.socket.destroy()
  if (world.mood === 'deaf') return
  if (!key || !world.apps.has(key)) return void no(response, 401, 'unauthorized', 'Access token is invalid')
  if (world.lateMs) await pause(world.lateMs)
  const body = await buffer(request)
  if (body.length > BODY_BYTES_MAX) return void no(response, 413, 'file_too_large', 'File size exceeded.')
  for (const [method, path, handler] of routes) {
    const match = method === request.method ? path.exec(url.pathname) : null
    const type = request.headers['content-type'] ?? ''
    if (match)
      return void (await handler(
        { world, key, path: url.pathname, query: url.searchParams, body, type },
        response,
        match,
      ))
  }
  no(response, 404, 'not_found', 'The requested URL was not found on the server.')
}

function upload({ world, key, body, type }: DifySimRequest, response: ServerResponse): unknown {
  const edge = /boundary=(.+)/.exec(type)?.[1]
  const parts = edge ? body.toString('latin1').split(`--${edge}`).slice(1, -1) : []
  const find = (name: string) => parts.find((part) => part.includes(`name="${name}"`))
  const user = find('user')?.split('\r\n\r\n')[1]?.trim()
  const file = find('file')
  if (!user || !file) return no(response, 400, 'no_file_uploaded', 'Please upload your file.')
  const bytes = Buffer.from(file.slice(file.indexOf('\r\n\r\n') + 4, -2), 'latin1')
  if (bytes.length > FILE_BYTES_MAX) return no(response, 413, 'file_too_large', 'File size exceeded.')
  const extension = Object.entries(PICTURES).find(([magic]) => bytes.toString('hex', 0, 4).startsWith(magic))?.[1]
  if (!extension) return no(response, 415, 'unsupported_file_type', 'File type not allowed.')
  const id = crypto.randomUUID()
  world.files.set(id, { id, key, user, bytes, extension })
  const made = { id, name: 'picture', size: bytes.length, extension, created_by: user }
  return json(response, 201, { ...made, mime_type: `image/${extension}`, created_at: Math.floor(Date.now() / 1000) })
}

const REFUSES: Partial<Record<Mood, [number, string, string]>> = {
  limited: [429, 'too_many_requests', 'Too many requests. Please try again later.'],
  quota: [429, 'rate_limit_error', 'The quota of the plan is used up.'],
  broken: [500, 'internal_server_error', 'The server encountered an internal error.'],
  noModel: [400, 'provider_not_initialize', 'No valid model provider credentials found.'],
}

async function run(request: DifySimRequest, response: ServerResponse): Promise<unknown> {
  const { world, key } = request
  const { inputs, response_mode, user } = JSON.parse(request.body.toString('utf8'))
  const refuses = REFUSES[world.mood]
  if (refuses) return no(response, ...refuses)
  if (typeof user !== 'string' || !user || typeof inputs !== 'object')
    return no(response, 400, 'invalid_param', 'user and inputs are required')
  const image = inputs.image?.upload_file_id
  const file = image === undefined ? undefined : world.files.get(image)
  // A file belongs to the application and user that uploaded it.
  if (image !== undefined && (file?.key !== key || file.user !== user))
    return no(response, 400, 'invalid_param', 'Invalid upload file')
  if (world.mood === 'noStream')
    return response.writeHead(200, { 'content-type': 'text/html' }).end('<html>proxy</html>')
  const made = newRun(world, { key, user, inputs, picture: file?.bytes })
  const played = play(world, made)
  if (response_mode === 'streaming') return stream(world, made, response)
  await played
  return json(response, 200, { task_id: made.taskId, workflow_run_id: made.id, data: made.facts() })
}

/**
 * Streams a run's events: first those so far, then new ones until it ends. In the moods that cut, the stream breaks
 * after three events.
 */
function stream(world: DifyWorld, made: SimulatedRun, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const isCut = world.mood === 'cut' || world.mood === 'cutForGood' || world.mood === 'silent'
  const cutAfter = isCut ? 3 : Infinity
  let written = 0
  const say = (text: string) => {
    if (written++ < cutAfter) return void response.write(text)
    if (world.mood === 'silent') return
    response.destroy()
  }
  const ping = setInterval(() => response.write('event: ping\n\n'), world.pingMs).unref()
  const leave = made.listen(say, () => response.end())
  response.on('close', () => {
    clearInterval(ping)
    leave()
  })
}

const own = ({ world, key }: DifySimRequest, id: string) => {
  const found = world.runs.get(id)
  return found?.key === key && !found.isForgotten ? found : undefined
}

function detail(request: DifySimRequest, response: ServerResponse, id: string): unknown {
  const found = own(request, id)
  if (!found) return no(response, 404, 'not_found', 'Workflow run not found')
  const { outputs, ...facts } = found.facts()
  return json(response, 200, {
    ...facts,
    outputs: JSON.stringify(outputs ?? null),
    inputs: JSON.stringify(found.inputs),
  })
}

function stop(request: DifySimRequest, response: ServerResponse, taskId: string): unknown {
  const { user } = JSON.parse(request.body.toString('utf8') || '{}')
  const found = [...request.world.runs.values()].find((one) => one.taskId === taskId && one.key === request.key)
  if (!user) return no(response, 400, 'invalid_param', 'user is required')
  // Stopping another user's run is accepted and does nothing, as in Dify.
  if (found && found.user === user) found.stop()
  return json(response, 200, { result: 'success' })
}

function resume(request: DifySimRequest, response: ServerResponse, id: string): unknown {
  const found = own(request, id)
  if (!found || found.user !== request.query.get('user'))
    return no(response, 404, 'not_found', 'Workflow run not found')
  return stream(request.world, found, response)
}

function logs({ world, key, query }: DifySimRequest, response: ServerResponse): unknown {
  const keyword = query.get('keyword') ?? ''
  const data = [...world.runs.values()]
    .filter((one) => one.key === key && !one.isForgotten && JSON.stringify(one.inputs).includes(keyword))
    .map((one) => ({
      id: `log-${one.id}`,
      workflow_run: { ...one.facts(), outputs: undefined },
      created_from: 'service-api',
    }))
  return json(response, 200, { page: 1, limit: 20, total: data.length, has_more: false, data })
}
