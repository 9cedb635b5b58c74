import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTelling } from './callbacks.ts'
import { certificateOf, newPair, type Pair } from './keys.ts'
import { know, completeWechatPayment } from './payments.ts'
import { knowRefund } from './refunds.ts'
import { createServing } from './serve.ts'
import { withdraw, type SimPayment, type Pace, type Refund, type World } from './world.ts'

type Options = {
  port?: number
  now?: () => Date
  pace?: Partial<Pace>
  /** Moves with real time, without calls of `tick`. */
  isLive?: boolean
  lookUp?: World['lookUp']
}

const PACE: Pace = { audit: 60_000, sign: 60_000, open: 30_000, refund: 30_000, share: 20_000, beforeShare: 60_000 }
const TICK_MS = 1000
const DAYS_20 = 20 * 86_400_000

function newWorld({ now = () => new Date(), pace, lookUp }: Options, own: Pair): World {
  let serial = 0
  const [certificate, serialNo] = [newPair(), `5${randomBytes(19).toString('hex').toUpperCase()}`]
  const [from, until] = [-DAYS_20, 90 * DAYS_20].map((far) => new Date(now().getTime() + far)) as [Date, Date]
  return {
    now: () => now().getTime(),
    url: '',
    pace: { ...PACE, ...pace },
    merchant: {
      mchid: '1900000001',
      appid: 'wx8888888888888888',
      serialNo: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
      publicKey: own.publicKey,
      apiv3Key: randomBytes(16).toString('hex'),
    },
    publicKey: { ...newPair(), no: 'PUB_KEY_ID_0100000001' },
    certificate: { ...certificate, serialNo, pem: certificateOf(certificate, serialNo, from, until), from, until },
    media: new Set(),
    applyments: new Map(),
    payments: new Map(),
    refunds: new Map(),
    shares: new Map(),
    returns: new Map(),
    receivers: new Set(),
    troubled: new Map(),
    ratios: new Map(),
    balances: new Map(),
    accounts: new Map(),
    trades: [],
    flows: [],
    files: new Map(),
    settlements: new Map(),
    notify: () => {},
    ...(lookUp && { lookUp }),
    // Too long for a JavaScript number, like WeChat Pay's own.
    newNo: () => `${now().getTime()}${String(++serial).padStart(5, '0')}`,
  }
}

/** Returns what a merchant enters to set up the account. */
const accountOf = ({ merchant, publicKey, url }: World, own: Pair) => ({
  spMchid: merchant.mchid,
  spAppid: merchant.appid,
  serialNo: merchant.serialNo,
  secretKey: own.privateKey,
  apiv3Key: merchant.apiv3Key,
  endpoint: url,
  publicKeyNo: publicKey.no,
  publicKeyPem: publicKey.publicKey,
})

export async function startWechatPay(options: Options = {}) {
  const own = newPair()
  const world = newWorld(options, own)
  const telling = createTelling(world)
  world.notify = (...notification) => telling.notify(...notification)
  const { serve, move, ...serving } = createServing(world, own, telling)
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  world.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const timer = options.isLive ? setInterval(move, TICK_MS).unref() : undefined

  return {
    url: world.url,
    world,
    ...serving,
    callbacks: telling,
    /** What a merchant needs to set up the account. */
    account: accountOf(world, own),
    /** Adds a payment made elsewhere. */
    know: (known: SimPayment) => know(world, known),
    /** Adds a refund of such a payment. */
    knowRefund: (transactionId: string, refund: Parameters<typeof knowRefund>[2]) =>
      knowRefund(world, transactionId, refund),
    /** The customer pays the order with this number. */
    pay(outTradeNo: string): void {
      const payment = [...world.payments.values()].find((one) => one.outTradeNo === outTradeNo)
      if (payment && ['NOTPAY', 'USERPAYING'].includes(payment.state)) completeWechatPayment(world, payment)
    },
    /** Pays so many cents, or all it has, into the merchant's bank. */
    withdraw: (subMchid: string, cents?: number) => withdraw(world, subMchid, cents),
    /** Sets how a running refund ends. */
    endRefundAs(outNo: string, ending: Refund['ending']): void {
      const refund = world.refunds.get(outNo)
      if (refund) refund.ending = ending
    },
    /** Moves everything that is due and waits for the callbacks. */
    async tick(): Promise<void> {
      move()
      await Promise.all(telling.underWay)
    },
    async close(): Promise<void> {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
