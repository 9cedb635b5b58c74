import type { Resource } from '#kit/resource/index.ts'
import type { PlatformFields } from './platform.ts'

/** State of an order, in the terms shared by both platforms. */
export type PlatformOrderState = 'placed' | 'confirmed' | 'delivering' | 'done' | 'cancelled'

/** A line of an order; amounts in cents. `code` is the product's number at the platform. */
export type PlatformOrderLine = {
  code: string
  upc: string
  name: string
  spec: string
  quantity: number
  price: number
  /** Columns that only this platform's lines have. */
  facts?: PlatformFields
}

/** Progress of the delivery, in the terms shared by both platforms. */
export type PlatformDeliveryState = 'none' | 'taken' | 'onWay' | 'arrived' | 'stopped'

export type PlatformRefund = {
  refundNo: string
  isAll: boolean
  state: 'asked' | 'agreed' | 'refused'
  lines: readonly { code: string; upc: string; quantity: number; amount: number }[]
  reason: string
  /** State of the return, when goods must come back before the refund. */
  goods?: 'asked' | 'agreed' | 'refused' | 'sent' | 'over'
}

/** An order as it is at the platform now. */
export type PlatformOrder = {
  orderNo: string
  state: PlatformOrderState
  /** 'yyyy-MM-dd HH:mm:ss', Shanghai time. */
  orderTime: string
  finishTime: string
  isPickup: boolean
  /** The shop delivers it and reports the steps itself. */
  isOwnDelivery: boolean
  ride: PlatformDeliveryState
  lines: readonly PlatformOrderLine[]
  /** What the customer paid, in cents. */
  userFee: number
  sendFee: number
  packageFee: number
  /** Why it cost less than its goods and fees, in the platform's words. */
  discounts: readonly string[]
  customer: { name: string; phone: string; address: string; longitude: number | null; latitude: number | null }
  rider?: { riderName: string; riderPhone: string; isPickedUp: boolean }
  remark: string
  cancelReason: string
  refunds: readonly PlatformRefund[]
  /** Columns of the platform's own order resource. */
  facts: PlatformFields
  /** Rows of further resources of the platform, which name the order as its lines do. */
  parts?: readonly { resource: Resource<any, any>; rows: readonly PlatformFields[] }[]
}
