import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { applymentRoutes, moveApplyments } from './applyments.ts'
import { billRoutes, fileAt } from './bills.ts'
import { headersOf, type createTelling } from './callbacks.ts'
import type { Pair } from './keys.ts'
import { paymentRoutes } from './payments.ts'
import { placeRoutes } from './places.ts'
import { receive } from './receive.ts'
import { moveRefunds, refundRoutes } from './refunds.ts'
import { moveShares, shareRoutes } from './shares.ts'
import { Refusal, type WechatSimRequest, type World } from './world.ts'

/**
 * `down` does nothing; `deaf after doing` executes the call and hangs up; `silent` hangs up; `wrong sign` answers with
 * an invalid signature; an object is answered as that error.
 */
type Fault = {
  kind: 'down' | 'deaf after doing' | 'silent' | 'wrong sign' | { status: number; code: string }
  path?: RegExp
  times?: number
}
type Call = { method: string; path: string; body: Record<string, any>; status: number }
type Answer = { status: number; body: unknown; numeric: string }

const ROUTES = [...placeRoutes, ...applymentRoutes, ...paymentRoutes, ...refundRoutes, ...shareRoutes, ...billRoutes]
const CALLS_MAX = 2000

/** Executes the call that method and path name. */
async function executeCall(world: World, request: WechatSimRequest): Promise<unknown> {
  for (const [method, path, handle] of ROUTES) {
    const found = request.method === method ? path.exec(request.path) : null
    if (found) return handle(world, { ...request, params: found.slice(1).map(decodeURIComponent) })
  }
  throw new Refusal(404, 'RESOURCE_NOT_EXISTS', '请求的资源不存在')
}

async function answerCall(world: World, request: WechatSimRequest, fault: Fault['kind'] | undefined): Promise<Answer> {
  try {
    if (typeof fault === 'object') throw new Refusal(fault.status, fault.code, '模拟故障')
    const body = await executeCall(world, request)
    return { status: body === undefined ? 204 : 200, body, numeric: '0' }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, body: { code: error.code, message: error.message }, numeric: error.numeric }
  }
}

/** Writes application ids as bare numbers, as WeChat Pay does, although they are too long for JavaScript. */
const textOf = (body: unknown) =>
  body === undefined ? '' : JSON.stringify(body).replace(/"applyment_id":"(\d{1,30})"/, '"applyment_id":$1')

/** Sends a bill's file unsigned: its hash was in the earlier answer. */
function sendFile(response: ServerResponse, bytes: Buffer | undefined): void {
  if (!bytes) return void response.writeHead(403).end()
  response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes)
}

/** Answers requests one after the other, and moves everything that is due before each. */
export function createServing(world: World, own: Pair, telling: ReturnType<typeof createTelling>) {
  const faults: Fault[] = []
  const calls: Call[] = []
  /** Delay of each answer in ms. */
  const pace = { lateMs: 0 }

  const move = () => {
    moveApplyments(world)
    moveRefunds(world)
    moveShares(world)
  }

  const takeFault = (path: string): Fault['kind'] | undefined => {
    const at = faults.findIndex((one) => !one.path || one.path.test(path))
    const fault = faults[at]
    if (!fault) return undefined
    if (fault.times !== undefined && --fault.times <= 0) faults.splice(at, 1)
    return fault.kind
  }

  const say = (response: ServerResponse, { status, body, numeric }: Answer, isUnsigned = false) => {
    const text = textOf(body)
    const serialNo = telling.byCertificate ? world.certificate.serialNo : undefined
    const seal = { serialNo, ...(isUnsigned && { privateKey: own.privateKey }) }
    response
      .writeHead(status, { ...headersOf(world, text, seal), 'request-id': `${world.newNo()}-${numeric}` })
      .end(text)
  }

  const note = (call: Call) => {
    calls.push(call)
    calls.splice(0, Math.max(0, calls.length - CALLS_MAX))
  }

  const handleCall = async (request: WechatSimRequest, response: ServerResponse): Promise<void> => {
    const fault = takeFault(request.path)
    if (fault === 'silent') return void response.destroy()
    if (fault === 'down') return void response.writeHead(502).end('<h1>502 Bad Gateway</h1>')
    if (request.path === '/v3/billdownload/file') return sendFile(response, fileAt(world, request.query.get('token')))
    const answered = await answerCall(world, request, fault)
    note({ method: request.method, path: request.path, body: request.body, status: answered.status })
    if (pace.lateMs) await pause(pace.lateMs)
    if (fault === 'deaf after doing') return void response.destroy()
    say(response, answered, fault === 'wrong sign')
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      move()
      await handleCall(await receive(world, request), response)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { status, code, message, numeric } = error
      say(response, { status, body: { code, message }, numeric })
    }
  }

  return { serve, move, faults, calls, pace }
}
