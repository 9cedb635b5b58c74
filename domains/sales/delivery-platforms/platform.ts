import type { Resource } from '#kit/resource/index.ts'
import type { Db, Sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'
import { defineSlot } from '#kit/server/slots.ts'
import type { PlatformAccount } from './accounts.ts'
import type { PlatformOrder } from './platform-order.ts'

export type PlatformName = 'ele' | 'meituan'
/** What a platform is told of a row, as plain JSON: compared with what it confirmed last. */
export type PlatformFields = Record<string, unknown>
export type PlatformRow = Record<string, any> & { id: string }

export type PlatformRowPatch = PlatformFields | ((is: PlatformRow) => PlatformFields)

/** A row as it is handed over with others: what the platform is to know of it, and what it confirmed last. */
export type BatchItem = { id: string; facts: PlatformFields; was: PlatformFields | null }

/** Many rows of a shop that changed in the same way, worked on by the platform by itself and told of under a number. */
export type BatchSync = {
  /** Which work brings a change; nothing where it is brought alone. */
  workOf: (facts: PlatformFields, was: PlatformFields | null) => string | undefined
  /** By work: from how many rows on it is worth it. */
  least: Readonly<Record<string, number>>
  most: number
  /** Writes down what is handed over, with the job that does it, in the transaction given; answers the row's number. */
  begin: (db: Db, shop: PlatformRow, work: string, ones: readonly BatchItem[]) => Promise<string>
  /** What of our row changes when it is done. */
  done: (facts: PlatformFields) => PlatformFields
}

/** How rows of a family come to stand at the platform. */
export type SyncFamily<C> = {
  resource: Resource<any, any>
  /** All the platform is to know of a row as it is now. */
  desiredFields: (db: Db, row: PlatformRow) => Promise<PlatformFields> | PlatformFields
  /**
   * Makes the platform say the same; `was` is what it confirmed last. Bears repetition: after a crash it is asked
   * again. Answers what of our row changes by it, or says so of the row as it is by then.
   */
  pushRow: (
    connection: C,
    now: { row: PlatformRow; facts: PlatformFields; was: PlatformFields | null },
  ) => Promise<PlatformRowPatch | void>
  /** How many of them are brought at once, where the platform does that. */
  together?: BatchSync
  /** Takes away what it confirmed last; absent where the platform keeps it. */
  removeRow?: (connection: C, was: PlatformFields) => Promise<void>
  /** By the platform's codes: the field a refusal means. */
  fieldOf?: Readonly<Record<string, string>>
}

/** What a shop's people may do to an order there. */
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
/** What is told of an order the shop brings itself: who brings it, that it has left, arrived, or will not. */
export type DeliveryStep = 'rider' | 'sendOut' | 'arrived' | 'rideFailed'
/** Pieces of an order, by the numbers the platform has for them. */
export type PlatformActionLine = { code: string; upc: string; quantity: number }
export type PlatformAction = {
  kind: PlatformActionKind
  orderNo: string
  reason: string
  reasonCode: string
  /**
   * Which of the customer's wishes is meant; of what a shop gives back by itself a number of ours, of what it brings
   * the number of the delivery.
   */
  refundNo: string
  /** Who brings it, where the shop does. */
  rider: { name: string; phone: string }
  lines: readonly PlatformActionLine[]
  /** The refunds that were there before a shop gave something back: one that is none of them is its own. */
  known: readonly string[]
}

/** Where a platform's goods stand, as SQL over a row `s` of their family and its step `t`; amounts in cents. */
export type ListingParitySql = {
  goods: Resource<any, any>
  isOnSale: Sql
  /** Our fields that are still empty and the platform wants, as `text[]`. */
  lacks: Sql
  /** What the platform confirmed last. */
  price: Sql
  stock: Sql
  /** Under which name it is told how many there are. */
  stockKey: string
  /** A review of goods, where the platform has one: `[status, reason, isRefused]`. */
  review?: { status: Sql; reason: Sql; isRefused: Sql; word: { of: Resource<any, any>; key: string } }
  /** The licences of a shop. */
  papers: Resource<any, any>
  /** Of the shop's own fields: what the review says, and whether it is open there with the value that says so. */
  shopReview: string
  shopOpen: { key: string; value: number }
  /** Whether a shop has been let in, over a row `p` of the shops. */
  isLetIn: Sql
}

/** What a platform settles of an order, in cents: what the customer paid, what it keeps, what the shop gets. */
export type PlatformSettlement = { orderNo: string; time: string; userFee: number; fee: number; received: number }

/** A delivery platform as the shared machinery knows it: `C` is what its own module speaks to it with. */
export type Platform<C = any> = {
  name: PlatformName
  /** Our shops there; its row is brought before all that stands in it. */
  shop: Resource<any, any>
  /** The field by which all other families name the shop there. */
  shopKey: string
  /** In the order they are brought: what is named before who names it. */
  families: readonly SyncFamily<C>[]
  parity: ListingParitySql
  connect: (services: Services, account: PlatformAccount, shop: PlatformRow) => C
  /** Has a shop compared with what it has here; one comparison of a shop at a time. */
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
    /** What it wants to hear of an order the shop brings itself. */
    deliverySteps: readonly DeliveryStep[]
    /** Whether an order that stands so is past what was asked: then it was done, by us or by somebody else. */
    isDone: (ask: PlatformAction, order: PlatformOrder) => boolean
    /** Numbers of orders nobody told of. */
    missedOrders: (connection: C, known: readonly number[], now: Date) => Promise<string[]>
  }
  bill: {
    /** The platform's state of an order it settles, and our field with what it keeps of it. */
    doneState: number
    feeKey: string
    /** By which of our fields it counts the day. */
    dayKey: 'finishedTime' | 'orderTime'
    /** What it settles of a day (a date of Shanghai), order by order. */
    read: (connection: C, day: string) => Promise<PlatformSettlement[]>
  }
}

const platforms = defineSlot<Record<string, Platform>>('platforms')

/** Says how a platform is spoken to; at the start of its module. */
export const registerPlatform = (services: Services, platform: Platform): void =>
  services.slots.add(platforms, platform.name, platform)

export const platformsOf = (services: Services): Platform[] => Object.values(services.slots.find(platforms) ?? {})
export const platformOf = (services: Services, name: string): Platform | undefined =>
  services.slots.find(platforms)?.[name]
