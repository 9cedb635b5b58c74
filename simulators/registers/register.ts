import { wireYuanToCents, formatYuan } from '#kit/fields/money/cents.ts'
import type { Random } from '#kit/server/base/random.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'

export type Credentials = { sn: string; secret: string; customers?: { prefix: string; count: number } }
type RegisterOptions = Credentials & {
  url: string
  random: Random
  log?: (line: string) => void
  now?: () => Date
}

type Good = {
  upc: string
  name: string
  salePrice: string
  vipPrice: string
  stock: number
  onSale: boolean
  isRemoved: boolean
}
type Customer = { id: string; balance: string; isVip: boolean }
export type PlayedSale = {
  saleNo: string
  saleTime: string
  payType: string
  payAmount: string
  transactionNo?: string
  customerId?: string
  quoteId?: string
  lines: { upc: string; name: string; price: string; quantity: number; discount: string; amount: string }[]
}
type Envelope<T> = { code: number; data: T; msg: string }

/** Figures of a register since its start. `wrong` counts answers that break the protocol. */
type RegisterFigures = {
  sold: number
  acknowledged: number
  sentLate: number
  refused: number
  wrong: number
  unsent: number
}

const BATCH = 500
const TIMEOUT_MS = 20_000
class Unreachable extends Error {}

type Call = <T>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Envelope<T>>

/** Makes one call with the register's credentials; throws `Unreachable` when the server does not answer. */
const callOf =
  ({ url, sn, secret }: RegisterOptions): Call =>
  async (method, path, body) => {
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          authorization: `Basic ${Buffer.from(`${sn}:${secret}`).toString('base64')}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      if (response.status >= 500 || response.status === 429) throw new Unreachable(`${response.status}`)
      return await response.json()
    } catch (error) {
      throw error instanceof Unreachable ? error : new Unreachable(String(error))
    }
  }

/** What a register has loaded from the server: products with prices, settings version, clock offset. */
function createKnowledge(call: Call, now: () => Date) {
  const goods = new Map<string, Good>()
  let cursor = ''
  let skewMs = 0
  let settingsVersion = 0

  async function learnPage(): Promise<boolean> {
    const { code, data } = await call<{ goods: Good[]; cursor: string; hasMore: boolean }>(
      'GET',
      `/api/terminal/goods?size=${BATCH}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
    )
    if (code !== 200) throw new Unreachable(`goods: ${code}`)
    for (const good of data.goods) {
      if (good.isRemoved) goods.delete(good.upc)
      else goods.set(good.upc, good)
    }
    cursor = data.cursor
    return data.hasMore
  }

  return {
    offered: () => [...goods.values()].filter((good) => good.onSale && good.stock > 0),
    clock: () => formatShanghaiTime(new Date(now().getTime() + skewMs)),
    setClock: (skewSeconds: number) => void (skewMs = Math.abs(skewSeconds) > 2 ? skewSeconds * 1000 : 0),
    settingsVersion: () => settingsVersion,
    /** Loads the shop's settings when their version changed; the next heartbeat reports the version. */
    async learnSettings(wanted: number): Promise<void> {
      if (wanted === settingsVersion) return
      const { code, data } = await call<{ version: number }>('GET', '/api/terminal/settings')
      if (code === 200) settingsVersion = data.version
    },
    async learnGoods(): Promise<void> {
      let hasMore = true
      while (hasMore) hasMore = await learnPage()
    },
  }
}

type Knowledge = ReturnType<typeof createKnowledge>

function lineOf(random: Random, good: Good, customer: Customer | undefined): PlayedSale['lines'][number] {
  const quantity = random.weighted([1, 2, 3], [85, 12, 3])
  const price = wireYuanToCents(good.salePrice)
  const discount = customer?.isVip && good.vipPrice ? (price - wireYuanToCents(good.vipPrice)) * quantity : 0
  return {
    upc: good.upc,
    name: good.name,
    price: good.salePrice,
    quantity,
    discount: formatYuan(discount),
    amount: formatYuan(price * quantity - discount),
  }
}

/** Generates the baskets of customers. */
function createBaskets(
  { random, sn, customers, now = () => new Date() }: RegisterOptions,
  call: Call,
  known: Knowledge,
) {
  const session = now().getTime().toString(36)
  let counter = 0

  async function findCustomer(): Promise<Customer | undefined> {
    if (!customers || !random.chance(0.5)) return undefined
    const openid = `${customers.prefix}${String(random.int(1, customers.count)).padStart(4, '0')}`
    const { code, data } = await call<Customer>('GET', `/api/terminal/customer?openid=${openid}`)
    return code === 200 ? data : undefined
  }

  /** Fills a basket at the prices the register knows. */
  function fill(customer: Customer | undefined): PlayedSale | undefined {
    const offered = known.offered()
    if (!offered.length) return undefined
    const lines = Array.from({ length: random.weighted([1, 2, 3, 4], [45, 32, 16, 7]) }, () =>
      lineOf(random, random.pick(offered), customer),
    ).filter((line, at, all) => all.findIndex((other) => other.upc === line.upc) === at)
    const total = lines.reduce((sum, line) => sum + wireYuanToCents(line.amount), 0)
    const saleNo = `${session}-${++counter}`
    const payType =
      customer && wireYuanToCents(customer.balance) >= total && random.chance(0.4)
        ? 'balance'
        : random.weighted(['wechat', 'alipay', 'cash'], [68, 26, 6])
    return {
      saleNo,
      saleTime: known.clock(),
      payType,
      payAmount: formatYuan(total),
      lines,
      ...(customer ? { customerId: customer.id } : {}),
      ...(payType === 'wechat' || payType === 'alipay' ? { transactionNo: `SIM${sn}${saleNo}` } : {}),
    }
  }

  return {
    /**
     * Returns the next basket, undefined when there are no products. Without the server it has no customer and no
     * quote.
     */
    async next(): Promise<PlayedSale | undefined> {
      const customer = await findCustomer().catch(() => undefined)
      const basket = fill(customer)
      return basket && random.chance(0.6) ? atQuote(call, basket).catch(() => basket) : basket
    },
  }
}

/**
 * Returns the basket at the price the server quotes, with the customer's best coupon; unchanged when there is no quote.
 */
async function atQuote(call: Call, sale: PlayedSale): Promise<PlayedSale> {
  const { code, data } = await call<{ quoteId: string; payAmount: string; lines: PlayedSale['lines'] }>(
    'POST',
    '/api/terminal/quote',
    {
      saleNo: sale.saleNo,
      lines: sale.lines.map(({ upc, quantity }) => ({ upc, quantity })),
      ...(sale.customerId ? { customerId: sale.customerId, tickets: 'best' } : {}),
    },
  )
  if (code !== 200) return sale
  const lines = data.lines.map(({ upc, name, price, quantity, discount, amount }) => ({
    upc,
    name,
    price,
    quantity,
    discount,
    amount,
  }))
  return { ...sale, quoteId: data.quoteId, payAmount: data.payAmount, lines }
}

type Answer = { saleNo?: string; orderNo?: string }

/** Sends sales to the server and keeps unacknowledged ones to send later, since they have happened. */
function createLedger({ sn, log = () => {} }: RegisterOptions, call: Call) {
  const unsent: PlayedSale[] = []
  const acknowledged: { saleNo: string; orderNo: string }[] = []
  const figures: RegisterFigures = { sold: 0, acknowledged: 0, sentLate: 0, refused: 0, wrong: 0, unsent: 0 }

  function noteAnswer(sale: PlayedSale, answer: Answer): void {
    if (answer.saleNo !== sale.saleNo || !answer.orderNo) {
      figures.wrong++
      log(`${sn}: ${sale.saleNo} was answered as ${JSON.stringify(answer)}`)
      return
    }
    figures.acknowledged++
    acknowledged.push({ saleNo: sale.saleNo, orderNo: answer.orderNo })
  }

  function noteRefusal(sale: PlayedSale, why: string): void {
    figures.refused++
    log(`${sn}: ${sale.saleNo} was refused: ${why}`)
  }

  return {
    acknowledged,
    figures: (): RegisterFigures => ({ ...figures, unsent: unsent.length }),
    async send(sale: PlayedSale): Promise<void> {
      figures.sold++
      try {
        const { code, data, msg } = await call<Answer>('POST', '/api/terminal/sale', sale)
        if (code === 200) noteAnswer(sale, data)
        else noteRefusal(sale, msg)
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error
        unsent.push(sale)
      }
    },
    async sendLate(): Promise<void> {
      while (unsent.length) {
        const batch = unsent.slice(0, BATCH)
        const { code, data, msg } = await call<{ results: (Answer & { result: string; msg?: string })[] }>(
          'POST',
          '/api/terminal/sales',
          { sales: batch },
        )
        if (code !== 200) throw new Unreachable(msg)
        if (data.results.length !== batch.length) figures.wrong++
        const kept = batch.filter((_sale, at) => data.results[at]?.result === 'failed')
        for (const [at, sale] of batch.entries()) {
          const result = data.results[at]
          if (kept.includes(sale)) continue
          if (result?.result === 'recorded' || result?.result === 'repeated') {
            figures.sentLate++
            noteAnswer(sale, result)
          } else noteRefusal(sale, result?.msg ?? 'no answer')
        }
        unsent.splice(0, batch.length, ...kept)
        if (kept.length) throw new Unreachable('not recorded')
        log(`${sn}: ${batch.length} sales sent late`)
      }
    },
  }
}

/** Simulates one register: loads products, sells, keeps sales it could not send and sends them later. */
export function createRegister(options: RegisterOptions) {
  const { sn, log = () => {}, now = () => new Date() } = options
  const call = callOf(options)
  const known = createKnowledge(call, now)
  const baskets = createBaskets(options, call, known)
  const ledger = createLedger(options, call)
  const state = (time: string) => ({
    time,
    version: '3.2.1',
    unsent: ledger.figures().unsent,
    screenState: 'idle',
  })

  return {
    sn,
    figures: ledger.figures,
    acknowledged: (): readonly { saleNo: string; orderNo: string }[] => ledger.acknowledged,
    /** Sends the hello, sets the clock and loads the products. Returns false while the server does not answer. */
    start: async (): Promise<boolean> => {
      try {
        const { code, data, msg } = await call<{ clockSkew: number; settingsVersion: number }>(
          'POST',
          '/api/terminal/hello',
          state(formatShanghaiTime(now())),
        )
        if (code !== 200) throw new Unreachable(msg)
        known.setClock(data.clockSkew)
        await known.learnSettings(data.settingsVersion)
        await known.learnGoods()
        return true
      } catch (error) {
        log(`${sn}: no server (${(error as Error).message})`)
        return false
      }
    },
    /** Sends a heartbeat, loads changed prices and sends the unsent sales. */
    beat: async (): Promise<void> => {
      try {
        const ask = { ...state(known.clock()), settingsVersion: known.settingsVersion() }
        const { data } = await call<{ settingsVersion: number }>('POST', '/api/terminal/heartbeat', ask)
        await known.learnSettings(data.settingsVersion)
        await known.learnGoods()
        await ledger.sendLate()
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error
      }
    },
    /** Sells one basket. A sale the server does not acknowledge is kept, since it has happened. */
    sell: async (): Promise<PlayedSale | undefined> => {
      const sale = await baskets.next()
      if (sale) await ledger.send(sale)
      return sale
    },
  }
}

export type Register = ReturnType<typeof createRegister>
