import type { Resource } from '#kit/resource/index.ts'
import type { PlatformFields } from './platform.ts'

/** How far an order is, in words both platforms have. */
export type PlatformOrderState = 'placed' | 'confirmed' | 'delivering' | 'done' | 'cancelled'

/** Amounts in cents. `code` is the number the goods have there. */
export type PlatformOrderLine = {
  code: string
  upc: string
  name: string
  spec: string
  quantity: number
  price: number
  /** What only this platform's lines have. */
  facts?: PlatformFields
}

/** How far the way to the customer is, in words both platforms have. */
export type PlatformDeliveryState = 'none' | 'taken' | 'onWay' | 'arrived' | 'stopped'

export type PlatformRefund = {
  refundNo: string
  isAll: boolean
  state: 'asked' | 'agreed' | 'refused'
  lines: readonly { code: string; upc: string; quantity: number; amount: number }[]
  reason: string
  /** Where goods are to come back first. */
  goods?: 'asked' | 'agreed' | 'refused' | 'sent' | 'over'
}

/** An order as it stands at the platform now, whatever was said of it on the way. */
export type PlatformOrder = {
  orderNo: string
  state: PlatformOrderState
  /** Wall clock of Shanghai. */
  orderTime: string
  finishTime: string
  isPickup: boolean
  /** The shop brings it, and says so itself. */
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
  /** Columns of the platform's own family. */
  facts: PlatformFields
  /** Rows of more families of the platform, which name the order as its lines do. */
  parts?: readonly { resource: Resource<any, any>; rows: readonly PlatformFields[] }[]
}
