import type { Clock } from '../gateways/clock.ts'

/** A refusal with the platform's error number and text. */
export class EleRefusal extends Error {
  readonly errno: number
  constructor(errno: number, error: string) {
    super(error)
    this.errno = errno
  }
}

/** The platform publishes only the first two numbers; the others stand for errors it documents in words only. */
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
  /** By the shop's own product number (`custom_sku_id`). */
  skus: Map<string, SimSku>
}

export type SimOrder = {
  order_id: string
  shop: SimShop
  facts: Body
  lines: { custom_sku_id: string; quantity: number }[]
  /** Commission on the bill, in cents, when it differs from the order's. */
  billedCommission?: number
  refunds: Map<string, { state: number; parts?: { custom_sku_id: string; number: number }[] }>
  /** Refund requests of the newer flow. */
  reverses: Map<string, SimReverse>
  isPacked?: boolean
  knight?: { name: string; phone: string }
}

type SimReverse = {
  state: number
  /** State of the products' return, 0 when none is asked for. */
  goods: number
  reason: string
  parts?: { custom_sku_id: string; number: number }[]
  /** The action of each answer to it, by the answer's idempotency key. */
  answers: Map<string, number>
}

type Account = { secret: string; callback?: string }

/** The platform's state and clock. */
export type EleWorld = {
  clock: Clock
  accounts: Map<string, Account>
  shops: Map<string, SimShop>
  orders: Map<string, SimOrder>
  /** Time until a shop is audited. */
  auditMs: number
  /** Every audit refuses. */
  isStrict: boolean
  /** Time for an order to be accepted, in ms. */
  acceptMs: number
  /** Time of each delivery step, in ms. */
  stepMs: number
  newNo: (prefix: string) => string
  tell: (source: string, cmd: string, body: Body) => void
}

export const secondsOf = (world: EleWorld): number => Math.floor(world.clock.now() / 1000)

/** Returns the account's shop that a body names by the platform's id or ours; refuses others. */
export function shopOf(world: EleWorld, source: string, body: Body): SimShop {
  const shop = body.baidu_shop_id
    ? world.shops.get(String(body.baidu_shop_id))
    : [...world.shops.values()].find((one) => one.source === source && one.shop_id === String(body.shop_id))
  if (!shop || shop.source !== source) return refuse('商户不存在', ERRNO.unknownShop)
  return shop
}
