import type { Resource } from '#kit/resource/index.ts'
import type { Db, Sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSlot } from '#kit/server/base/slots.ts'
import type { PlatformAccount } from './accounts.ts'
import type { PlatformOrder } from './platform-order.ts'

export type PlatformName = 'ele' | 'meituan'
/** Values of a row as sent to a platform, as plain JSON that is compared with the values confirmed last. */
export type PlatformFields = Record<string, unknown>
export type PlatformRow = Record<string, any> & { id: string }

export type PlatformRowPatch = PlatformFields | ((is: PlatformRow) => PlatformFields)

/** A row of a batch: the values to send, and those the platform confirmed last (null for none). */
export type BatchItem = { id: string; facts: PlatformFields; was: PlatformFields | null }

/** How a platform changes many rows of a shop in one batch, which it works through by itself and reports by number. */
export type BatchSync = {
  /** Which kind of batch makes a change; undefined when the row is synced alone. */
  workOf: (facts: PlatformFields, was: PlatformFields | null) => string | undefined
  /** Fewest rows worth a batch, by kind. */
  least: Readonly<Record<string, number>>
  most: number
  /** Stores a batch and enqueues its job in the given transaction; returns its number. */
  begin: (db: Db, shop: PlatformRow, work: string, ones: readonly BatchItem[]) => Promise<string>
  /** Columns of our row that change when its batch is done. */
  done: (facts: PlatformFields) => PlatformFields
}

/** How rows of one resource are synced to the platform. */
export type SyncedResource<C> = {
  resource: Resource<any, any>
  /** All values the platform should have of a row now. */
  desiredFields: (db: Db, row: PlatformRow) => Promise<PlatformFields> | PlatformFields
  /**
   * Makes the platform have these values; `was` is what it confirmed last. May be repeated, for example after a crash.
   * Returns changes to our row, or a function that makes them from the row as it is by then.
   */
  pushRow: (
    connection: C,
    now: { row: PlatformRow; facts: PlatformFields; was: PlatformFields | null },
  ) => Promise<PlatformRowPatch | void>
  /** How rows are synced in batches, where the platform can. */
  together?: BatchSync
  /** Removes the row at the platform; absent where the platform keeps it. */
  removeRow?: (connection: C, was: PlatformFields) => Promise<void>
  /** The field a refusal is about, by the platform's error code. */
  fieldOf?: Readonly<Record<string, string>>
}

/** Actions on an order at a platform. */
export type PlatformActionKind =
  | 'confirm'
  | 'cancel'
  | 'agreeRefund'
  | 'refuseRefund'
  | 'refundPart'
  | 'agreeReturn'
  | 'refuseReturn'
  | 'packed'
  | DeliveryStep
/** Steps reported of an order the shop delivers itself: the rider, left, arrived, failed. */
export type DeliveryStep = 'rider' | 'sendOut' | 'arrived' | 'rideFailed'
/** Pieces of an order line, by the platform's numbers. */
export type PlatformActionLine = { code: string; upc: string; quantity: number }
export type PlatformAction = {
  kind: PlatformActionKind
  orderNo: string
  reason: string
  reasonCode: string
  /**
   * The customer's refund request that is meant. For a refund the shop starts: a number of ours. For a delivery step:
   * the delivery's id.
   */
  refundNo: string
  /** The person who delivers, where the shop does. */
  rider: { name: string; phone: string }
  lines: readonly PlatformActionLine[]
  /** Refunds that existed before the shop's own; a refund not among them is the shop's. */
  known: readonly string[]
}

/** How products stand at a platform, as SQL over a product row `s` and its sync progress `t`; amounts in cents. */
export type ListingParitySql = {
  goods: Resource<any, any>
  isOnSale: Sql
  /** Fields that are still empty here and that the platform requires, as `text[]`. */
  lacks: Sql
  /** Price and stock the platform confirmed last. */
  price: Sql
  stock: Sql
  /** Key of the stock among the values sent. */
  stockKey: string
  /** A review of goods, where the platform has one: `[status, reason, isRefused]`. */
  review?: { status: Sql; reason: Sql; isRefused: Sql; word: { of: Resource<any, any>; key: string } }
  /** The licences of a shop. */
  papers: Resource<any, any>
  /** The shop field with the result of the platform's review. */
  shopReview: string
  /** The shop field that says whether it is open at the platform, with the value for open. */
  shopOpen: { key: string; value: number }
  /** Whether the platform has admitted a shop, as SQL over a shop row `p`. */
  isLetIn: Sql
}

/**
 * A platform's settlement of an order, in cents: what the customer paid, what the platform keeps, what the shop gets.
 */
export type PlatformSettlement = { orderNo: string; time: string; userFee: number; fee: number; received: number }

/** A delivery platform. `C` is the type of its connection, which only its own module uses. */
export type Platform<C = any> = {
  name: PlatformName
  /** Our rows of shops at the platform; a shop is synced before the rows in it. */
  shop: Resource<any, any>
  /** The field by which all other resources name the shop at the platform. */
  shopKey: string
  /** In the order of syncing: rows before those that refer to them. */
  resources: readonly SyncedResource<C>[]
  parity: ListingParitySql
  connect: (services: Services, account: PlatformAccount, shop: PlatformRow) => C
  /** Enqueues a comparison of a shop with ours; one per shop at a time. */
  compareLater: (db: Db, shop: PlatformRow, now: Date) => Promise<unknown>
  order: {
    resource: Resource<any, any>
    detail: Resource<any, any>
    /** The field by which lines name their order. */
    orderKey: string
    /** The field with an order's number of the day. */
    seqKey: string
    /** The platform's states after which nothing more happens to an order. */
    overStates: readonly number[]
    /** The platform's code for an order whose goods are sold out. */
    soldOutCode: string
    /** Its states as the platform counts them, in the order they follow each other. */
    steps: readonly number[]
    /** The order as it stands there now. */
    read: (connection: C, orderNo: string) => Promise<PlatformOrder>
    act: (connection: C, ask: PlatformAction) => Promise<void>
    /** Delivery steps to report for orders the shop delivers itself. */
    deliverySteps: readonly DeliveryStep[]
    /** Whether the order's state shows that the action was done, by us or by somebody else. */
    isDone: (ask: PlatformAction, order: PlatformOrder) => boolean
    /** Finds numbers of orders that no message reported; `known` are the day's order numbers we have. */
    missedOrders: (connection: C, known: readonly number[], now: Date) => Promise<string[]>
  }
  bill: {
    /** The platform's state of an order that is settled. */
    doneState: number
    /** Our field with the platform's fee of an order. */
    feeKey: string
    /** Our field with the time by which the platform assigns an order to a day. */
    dayKey: 'finishedTime' | 'orderTime'
    /** Reads the settlements of a day (Shanghai date), one per order. */
    read: (connection: C, day: string) => Promise<PlatformSettlement[]>
  }
}

const platforms = defineSlot<Record<string, Platform>>('platforms')

/** Registers a delivery platform. Its module calls this at startup. */
export const registerPlatform = (services: Services, platform: Platform): void =>
  services.slots.add(platforms, platform.name, platform)

export const platformsOf = (services: Services): Platform[] => Object.values(services.slots.find(platforms) ?? {})
export const platformOf = (services: Services, name: string): Platform | undefined =>
  services.slots.find(platforms)?.[name]
