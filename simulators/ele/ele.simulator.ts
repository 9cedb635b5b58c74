import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { realClock, type Clock } from '../gateways/clock.ts'
import { answerText, isRightlySigned, platformJson, signed } from './envelope.ts'
import { changeSku, goodsCommands, putSku } from './goods.ts'
import { askBack, askReverse, knowOrder, mend, orderCommands, placeEleOrder, sendBack, type Basket } from './orders.ts'
import { createPushes } from './pushes.ts'
import { knowShop, shopCommands } from './shops.ts'
import {
  ERRNO,
  EleRefusal,
  refuse,
  secondsOf,
  type Body,
  type EleWorld,
  type SimOrder,
  type SimShop,
  type SimSku,
} from './world.ts'

export { STATUS } from './orders.ts'

/**
 * How the platform behaves: `down` answers 502 without doing anything, `silent` hangs up, `deaf after doing` executes
 * the call and hangs up. Failures of the gateway come before (`gate away`) or after (`gate timeout`) the execution.
 */
type EleMood = 'well' | 'down' | 'silent' | 'deaf after doing' | 'gate away' | 'gate timeout'

type EleSimRequest = { cmd: string; ticket: string; body: Body; errno: number }
type Form = Record<string, string>

const SKEW_SECONDS = 600
const DAY_SECONDS = 86_400
const CALLS_MAX = 5000
const commands = { ...shopCommands, ...goodsCommands, ...orderCommands }

/**
 * Starts the simulated Ele platform: verifies signatures, clocks and tickets, executes all commands, and sends messages
 * of its own.
 */
export async function startEle({ port = 0, clock = realClock }: { port?: number; clock?: Clock } = {}) {
  const world = newWorld(clock)
  const pushes = createPushes(world)
  world.tell = (...message) => pushes.tell(...message)
  const ele = {
    ...newHabits(),
    world,
    pushes,
    know: (shop: Body & { source: string; baidu_shop_id: string; shop_id: string }) => knowShop(world, shop),
    putSku: (shop: SimShop, draft: Body & { custom_sku_id: string }) => putSku(world, shop, draft),
    knowOrder: (order: Parameters<typeof knowOrder>[1]) => knowOrder(world, order),
    order: (basket: Basket): SimOrder => placeEleOrder(world, basket),
    mend,
    askBack: (order: SimOrder, parts?: { custom_sku_id: string; number: number }[]) => askBack(world, order, parts),
    /** A refund request in the newer flow; `sendBack` reports that the customer returned the products. */
    askReverse: (order: SimOrder, ask?: Parameters<typeof askReverse>[2]) => askReverse(world, order, ask),
    sendBack: (order: SimOrder, refundNo: string) => sendBack(world, order, refundNo),
    /** Changes a product of a shop, or removes it (`null`), as the platform's staff can. */
    changeSku: (shop: SimShop, custom_sku_id: string, facts: Partial<SimSku> | null) =>
      changeSku(world, shop, custom_sku_id, facts),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const executeCommand = createGate(world, ele)

  function answer(form: Form): { errno: number; error: string; data: unknown } {
    if (ele.mood === 'gate away') return { errno: -1, error: 'gw.ISPConnectError', data: null }
    try {
      const data = executeCommand(form)
      if (ele.mood === 'gate timeout') return { errno: -1, error: 'gw.ISPInvokeTimeout', data: null }
      return { errno: 0, error: 'success', data }
    } catch (error) {
      if (error instanceof EleRefusal) return { errno: error.errno, error: error.message, data: null }
      return { errno: -1, error: 'gw.UNKOWN', data: null }
    }
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = Object.fromEntries(new URLSearchParams(await text(request)))
    if (ele.mood === 'silent') return void response.destroy()
    if (ele.mood === 'down') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>502</h1>')
    const result = answer(form)
    ele.calls.push({ cmd: form.cmd ?? '', ticket: form.ticket ?? '', body: bodyOf(form), errno: result.errno })
    ele.calls.splice(0, Math.max(0, ele.calls.length - CALLS_MAX))
    await ele.meanwhile?.(form.cmd ?? '')
    if (ele.lateMs) await pause(ele.lateMs)
    if (ele.mood === 'deaf after doing') return void response.destroy()
    response.writeHead(200, { 'content-type': 'application/json' }).end(envelope(world, form, result))
  }

  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  ele.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  return ele
}

/** How the simulator answers, and the calls it received. */
const newHabits = () => ({
  url: '',
  mood: 'well' as EleMood,
  /** Calls per second and account; more are refused. */
  perSecond: 200,
  /** Delay of each answer in ms. */
  lateMs: 0,
  /** Called after a command was executed and before its answer is sent. */
  meanwhile: undefined as ((cmd: string) => Promise<unknown> | void) | undefined,
  calls: [] as EleSimRequest[],
})

function newWorld(clock: Clock): EleWorld {
  let serial = 0
  return {
    clock,
    accounts: new Map(),
    shops: new Map(),
    orders: new Map(),
    auditMs: 60_000,
    isStrict: false,
    acceptMs: 300_000,
    stepMs: 60_000,
    newNo: (prefix) => `${prefix}${clock.now()}${String(++serial).padStart(4, '0')}`,
    tell: () => {},
  }
}

/** Returns the signed text of an answer. */
function envelope(world: EleWorld, { cmd = '', source = '' }: Form, result: object): string {
  const secret = world.accounts.get(source)?.secret ?? ''
  const fields = { cmd: `resp.${cmd}`, timestamp: `${secondsOf(world)}`, version: '3', source, encrypt: '' }
  const ticket = randomUUID().toUpperCase()
  return answerText({ ...signed({ ...fields, ticket, body: platformJson(result) }, secret), traceid: world.newNo('1') })
}

/** Verifies a request as the platform does, then executes its command or refuses it. */
function createGate(world: EleWorld, limit: { perSecond: number }): (form: Form) => unknown {
  const tickets = new Map<string, number>()
  const pace = { second: 0, count: 0 }
  const requireNew = (ticket: string, now: number) => {
    if (!/^[\dA-F-]{36}$/.test(ticket)) refuse('ticket 格式不正确')
    if ((tickets.get(ticket) ?? 0) > now - DAY_SECONDS) refuse('ticket 重复')
    tickets.set(ticket, now)
  }
  return (form) => {
    const account = world.accounts.get(form.source ?? '')
    if (!account || !isRightlySigned(form, account.secret)) return refuse('签名不匹配', ERRNO.sign)
    const now = secondsOf(world)
    if (Math.abs(now - Number(form.timestamp)) > SKEW_SECONDS) refuse('时间戳已过期')
    if (form.version !== '3' || form.encrypt) refuse('不支持的版本或加密方式')
    requireNew(form.ticket ?? '', now)
    if (pace.second !== now) Object.assign(pace, { second: now, count: 0 })
    if (++pace.count > limit.perSecond) refuse('调用频率超过限制，请稍后再试')
    const command = commands[form.cmd ?? ''] ?? refuse('cmd 不存在')
    return command(world, form.source!, JSON.parse(form.body || '{}') as Body)
  }
}

function bodyOf({ body }: Form): Body {
  try {
    return JSON.parse(body ?? '') as Body
  } catch {
    return {}
  }
}

export type EleSimulator = Awaited<ReturnType<typeof startEle>>
