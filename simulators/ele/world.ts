import type { Clock } from '../gateways/clock.ts'

/** A refusal as the platform writes it. */
export class EleRefusal extends Error {
  readonly errno: number
  constructor(errno: number, error: string) {
    super(error)
    this.errno = errno
  }
}

/** Only the first two numbers are published; the others stand for what the platform says in words alone. */
export const ERRNO = { sign: 20114, noSku: 10208, refused: 20999, unknownShop: 20998, unknownOrder: 20997 } as const

export const refuse = (error: string, errno: number = ERRNO.refused): never => {
  throw new EleRefusal(errno, error)
}

export type Body = Record<string, any>

export type SimSku = {
  sku_id: string
  custom_sku_id: string
  upc: string
  name: string
  sale_price: number
  left_num: number
  status: 0 | 1
  weight: number
  minimum: number
  category_id: string
  photos: { is_master: 0 | 1; url: string }[]
}

type SimShelf = { category_id: string; name: string; rank: number; parent: string }

export type SimShop = {
  baidu_shop_id: string
  shop_id: string
  source: string
  facts: Body
  sysStatus: number
  businessStatus: number
  rejectReason: string
  licences: Body[]
  shelves: Map<string, SimShelf>
  /** By our number. */
  skus: Map<string, SimSku>
}

export type SimOrder = {
  order_id: string
  shop: SimShop
  facts: Body
  lines: { custom_sku_id: string; quantity: number }[]
  /** What the bill takes where it is not what the order said. */
  billedCommission?: number
  refunds: Map<string, { state: number; parts?: { custom_sku_id: string; number: number }[] }>
  /** Requests of the newer flow. */
  reverses: Map<string, SimReverse>
  isPacked?: boolean
  knight?: { name: string; phone: string }
}

type SimReverse = {
  state: number
  /** 0 where nothing is to come back. */
  goods: number
  reason: string
  parts?: { custom_sku_id: string; number: number }[]
  /** What was said to it under which number. */
  answers: Map<string, number>
}

type Account = { secret: string; callback?: string }

/** The platform's memory, and what happens in it by the clock. */
export type EleWorld = {
  clock: Clock
  accounts: Map<string, Account>
  shops: Map<string, SimShop>
  orders: Map<string, SimOrder>
  /** How long somebody there looks at a shop. */
  auditMs: number
  /** Whatever it audits is refused. */
  isStrict: boolean
  /** How long an order waits to be accepted, and between two steps of its way. */
  acceptMs: number
  stepMs: number
  newNo: (prefix: string) => string
  tell: (source: string, cmd: string, body: Body) => void
}

export const secondsOf = (world: EleWorld): number => Math.floor(world.clock.now() / 1000)

/** The shop a body names, by their number or ours, of this account. */
export function shopOf(world: EleWorld, source: string, body: Body): SimShop {
  const shop = body.baidu_shop_id
    ? world.shops.get(String(body.baidu_shop_id))
    : [...world.shops.values()].find((one) => one.source === source && one.shop_id === String(body.shop_id))
  if (!shop || shop.source !== source) return refuse('商户不存在', ERRNO.unknownShop)
  return shop
}
