/** A refusal with the platform's code and text. */
export class Refusal extends Error {
  readonly code: number
  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const WORDS = {
  700: '系统错误',
  701: '缺少参数',
  702: 'app_id不存在',
  703: '签名验证错误',
  704: '无权操作该门店',
  705: '参数格式错误',
  711: '触发流控',
  801: '门店已存在',
  803: '不存在此门店',
  804: '商品已存在',
  805: '不存在此商品',
  806: '不存在此订单',
  1006: '已接入美团配送',
  808: '操作失败，订单状态已变更',
  1021: '商品分类不存在',
  1026: '门店未审核通过',
  1031: '包含敏感词',
  1037: '分类已存在',
  3013: '分类名称已存在',
  4001: 'token已过期',
} as const

export const refuse = (code: keyof typeof WORDS, about = ''): never => {
  throw new Refusal(code, about ? `${WORDS[code]}：${about}` : WORDS[code])
}

export type Params = Readonly<Record<string, string>>
export const need = (params: Params, name: string): string => params[name] || refuse(701, name)

export function jsonOf<T>(params: Params, name: string): T {
  try {
    return JSON.parse(need(params, name)) as T
  } catch {
    return refuse(705, name)
  }
}

export type Poi = {
  code: string
  appNo: string
  wmPoiNo: string
  facts: Record<string, string>
  openLevel: number
  isOnline: number
  audit: { status: number; reason: string; due: number }
}
export type Category = { code: string; name: string; sequence: number }
export type Good = {
  code: string
  facts: Record<string, any>
  price: string
  stock: number
  soldOut: number
  audit: { status: number; reason: string; due: number }
}
export type OrderLine = { code: string; upc: string; name: string; quantity: number; price: number }
type Refund = {
  refundNo: string
  isPart: boolean
  food: { code: string; count: number; refundPrice: number }[]
  money: number
  resType: number
  reason: string
}
export type Order = {
  orderNo: string
  shopCode: string
  daySeq: number
  status: number
  createdAt: number
  lines: OrderLine[]
  /** In cents, like `boxFee`. */
  shippingFee: number
  boxFee: number
  /** Discounts in cents, and who bears them. */
  reductions: { remark: string; byPlatform: number; byShop: number }[]
  serviceFee: number
  caution: string
  customer: { name: string; phone: string; address: string }
  refunds: Refund[]
  cancelReason: string
  times: Partial<Record<'confirmed' | 'completed' | 'cancelled', number>>
  rider?: { name: string; phone: string; status: number }
  /** The shop delivers the order itself and reports the progress. */
  isOwnDelivery: boolean
  isPacked?: boolean
  isReceived: boolean
}
/** A task on many products, executed later; a failure of one leaves the others. */
export type Task = {
  taskNo: string
  appNo: string
  shopCode: string
  path: string
  params: Params
  total: number
  due: number
  failed?: object[]
}
export type App = {
  secret: string
  /** Address registered for callbacks, without the event's name. */
  callbackUrl?: string
  /** Acts for the shops of others, with a token for each. */
  isIsv?: boolean
}

/** The platform's state and clock. */
export type World = {
  now: () => number
  auditMs: number
  /** Every audit refuses. */
  isStrict: boolean
  apps: Map<string, App>
  pois: Map<string, Poi>
  categories: Map<string, Map<string, Category>>
  goods: Map<string, Map<string, Good>>
  orders: Map<string, Order>
  tasks: Map<string, Task>
  tokens: Map<string, { shopCode: string; until: number; refresh: string }>
  pictures: string[]
  /** Sends a callback. */
  tell: (event: string, shopCode: string, params: Record<string, string>) => void
}

/** Returns the shop of a call; refuses one that is not bound to the application. */
export function poiOf({ pois }: World, appNo: string, code: string): Poi {
  const poi = pois.get(code) ?? refuse(803, code)
  return poi.appNo === appNo ? poi : refuse(704, code)
}
