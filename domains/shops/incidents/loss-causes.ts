import { costOf } from '#domains/catalogue/products/index.ts'
import type { LocalizedText } from '#kit/resource/index.ts'

export const LOSS_KINDS = ['unpaid', 'expired', 'miscounted', 'price', 'refund', 'written'] as const
export type LossKind = (typeof LOSS_KINDS)[number]

/** Basis of a loss's amount: cost of the goods, undercharged price, money refunded, or unknown. */
type LossBasis = 'cost' | 'price' | 'money' | 'unknown'

/** A loss found from the evidence, before it is stored. */
export type Loss = {
  mark: string
  kind: LossKind
  certainty: 'sure' | 'likely' | 'guess'
  shopId: string
  /** When it happened or was noticed, in ms since 1970. */
  at: number
  cents: number
  basis: LossBasis
  why: LocalizedText
  goodId?: string | null
  quantity?: number
  visitId?: string | null
  orderId?: string | null
  refundId?: string | null
  stocktakeId?: string | null
  batchId?: string | null
  storageLogId?: string | null
  wxUserId?: string | null
}

/** Pieces of one product taken in one visit and not paid. */
export type UnpaidGoodsEvidence = {
  visitId: string
  shopId: string
  goodId: string
  wxUserId: string | null
  at: number
  pieces: number
  /** Cost of a piece in cents; null if unknown. */
  cost: number | null
  name: string
}
/** A posted stocktake difference: negative for missing pieces. */
export type StocktakeEvidence = {
  id: string
  shopId: string
  goodId: string
  at: number
  change: number
  cost: number | null
  name: string
  stocktakeId: string | null
}
/** Expired goods still in stock, or goods written off. */
export type SpoilageEvidence = {
  id: string
  shopId: string
  goodId: string
  at: number
  pieces: number
  /** Cost of a piece in cents; null if unknown. */
  cost: number | null
  name: string
  batchId: string | null
  batchNo: string
  /** Ledger row that wrote them off; null while they are in stock. */
  storageLogId: string | null
  isExpired: boolean
}
/** A register sale line charged below the listed price. */
export type UnderchargeEvidence = {
  id: string
  orderId: string
  shopId: string
  goodId: string
  at: number
  pieces: number
  price: number
  listPrice: number
  /** Price the tag showed at that time; null if unknown. */
  tagPrice: number | null
  name: string
}
/** A completed refund. */
export type RefundEvidence = {
  id: string
  refundNo: string
  orderId: string
  shopId: string
  wxUserId: string | null
  at: number
  cents: number
  restock: boolean
  reason: string
  isCash: boolean
  /** Person who both requested and approved it alone; null if two people did. */
  aloneUser: string | null
  lines: { goodId: string; quantity: number; cost: number | null }[]
}
type Spent = ReadonlyMap<string, number>

export type LossEvidence = {
  taken: readonly UnpaidGoodsEvidence[]
  counted: readonly StocktakeEvidence[]
  spoilt: readonly SpoilageEvidence[]
  charged: readonly UnderchargeEvidence[]
  refunded: readonly RefundEvidence[]
  /** Cents each customer paid in the same time. */
  spent: Spent
}

/** When a person's refunds count as abuse: how many within how many days, and their share of what the person paid. */
export type RefundAbuseRule = { times: number; days: number; percent: number }

const DAY_MS = 86_400_000

/** Returns the amount of lost pieces at cost; `unknown` if the cost of any is missing. */
function worth(...parts: readonly { pieces: number; cost: number | null }[]): Pick<Loss, 'cents' | 'basis'> {
  const costs = parts.map(({ pieces, cost }) => costOf(pieces, cost))
  if (costs.includes(null)) return { cents: 0, basis: 'unknown' }
  return { cents: costs.reduce<number>((sum, one) => sum + one!, 0), basis: 'cost' }
}
const EXPIRED = /过了?期|保质期|expired?\b|out of date/i

/**
 * Assigns losses to causes, each yuan only once. Goods count at cost, money at its amount. Pieces seen leaving on
 * camera, or wrongly booked back by a refund, are counted there and not again when a stocktake misses them. Pieces a
 * later stocktake finds again were not lost.
 */
export function attributeLosses(evidence: LossEvidence, rule: RefundAbuseRule): Loss[] {
  const abusive = abusesOf(evidence, rule)
  const refundLosses = evidence.refunded.flatMap((one) => refundLoss(one, abusive.get(one.id)))
  const counts = countLosses(evidence, abusive)
  return [
    ...evidence.taken.map(takenLoss),
    ...evidence.spoilt.map(spoiltLoss),
    ...evidence.charged.flatMap(chargedLoss),
    ...refundLosses,
    ...counts,
  ].filter(({ cents, basis }) => cents > 0 || basis === 'unknown')
}

const takenLoss = ({ visitId, shopId, goodId, wxUserId, at, pieces, cost, name }: UnpaidGoodsEvidence): Loss => ({
  mark: `visit/${visitId}/${goodId}`,
  kind: 'unpaid',
  certainty: 'sure',
  shopId,
  at,
  ...worth({ pieces, cost }),
  goodId,
  quantity: pieces,
  visitId,
  wxUserId,
  why: {
    zh: `顾客带走 ${name} ×${pieces}，没有付款也没有放回`,
    en: `A customer left with ${name} ×${pieces}, neither paid nor put back`,
  },
})

function spoiltLoss(one: SpoilageEvidence): Loss {
  const { id, name, pieces, batchNo, isExpired, storageLogId } = one
  // Goods received without a batch number have none to name.
  const batch = batchNo ? { zh: `（批次 ${batchNo}）`, en: ` (batch ${batchNo})` } : { zh: '', en: '' }
  const why: LocalizedText = !isExpired
    ? { zh: `${name} ×${pieces} 报损`, en: `${name} ×${pieces} written off` }
    : storageLogId
      ? {
          zh: `${name} ×${pieces} 过期后报损${batch.zh}`,
          en: `${name} ×${pieces} expired and written off${batch.en}`,
        }
      : {
          zh: `${name} ×${pieces} 已过期，还在账上${batch.zh}`,
          en: `${name} ×${pieces} expired, still on the books${batch.en}`,
        }
  return {
    mark: storageLogId ? `log/${storageLogId}` : `batch/${id}`,
    kind: isExpired ? 'expired' : 'written',
    certainty: 'sure',
    shopId: one.shopId,
    at: one.at,
    ...worth(one),
    goodId: one.goodId,
    quantity: pieces,
    batchId: one.batchId,
    storageLogId,
    why,
  }
}

function chargedLoss(one: UnderchargeEvidence): Loss[] {
  const { name, price, listPrice, tagPrice, pieces } = one
  if (price >= listPrice || pieces <= 0) return []
  const [charged, filed] = [(price / 100).toFixed(2), (listPrice / 100).toFixed(2)]
  const isTag = tagPrice === price
  return [
    {
      mark: `line/${one.id}`,
      kind: 'price',
      certainty: tagPrice === null ? 'likely' : 'sure',
      shopId: one.shopId,
      at: one.at,
      cents: (listPrice - price) * pieces,
      basis: 'price',
      goodId: one.goodId,
      quantity: pieces,
      orderId: one.orderId,
      why: isTag
        ? {
            zh: `${name} ×${pieces} 按价签旧价 ${charged} 收款，售价是 ${filed}`,
            en: `${name} ×${pieces} charged ${charged} as the tag still showed; the price is ${filed}`,
          }
        : {
            zh: `${name} ×${pieces} 收银机按 ${charged} 收款，售价是 ${filed}`,
            en: `${name} ×${pieces} charged ${charged} by the till; the price is ${filed}`,
          },
    },
  ]
}

type Abuse = { by: 'customer' | 'staff'; times: number }

/** Returns the refunds that are part of abuse: by one customer, or by one person who pays out cash alone. */
function abusesOf({ refunded, spent }: LossEvidence, rule: RefundAbuseRule): Map<string, Abuse> {
  const found = new Map<string, Abuse>()
  const mark = (group: readonly RefundEvidence[], by: Abuse['by']) => {
    for (const one of within(group, rule)) if (!found.has(one.id)) found.set(one.id, { by, times: group.length })
  }
  for (const [customer, group] of Map.groupBy(
    refunded.filter(({ wxUserId }) => wxUserId),
    ({ wxUserId }) => wxUserId!,
  )) {
    const back = group.reduce((sum, { cents }) => sum + cents, 0)
    if (back * 100 >= (spent.get(customer) ?? 0) * rule.percent) mark(group, 'customer')
  }
  // Refunds explained by the customer or by expired goods are not held against the employee.
  const alone = refunded.filter(
    ({ id, aloneUser, isCash, restock, reason }) =>
      aloneUser && isCash && !restock && !found.has(id) && !EXPIRED.test(reason),
  )
  for (const group of Map.groupBy(alone, ({ aloneUser, shopId }) => `${aloneUser}/${shopId}`).values())
    mark(group, 'staff')
  return found
}

/** Returns the refunds of a group that have enough others within the days of the rule. */
function within(group: readonly RefundEvidence[], { times, days }: RefundAbuseRule): RefundEvidence[] {
  const sorted = group.toSorted((a, b) => a.at - b.at)
  return sorted.filter((one) => {
    const near = sorted.filter(({ at }) => Math.abs(at - one.at) <= days * DAY_MS)
    return near.length >= times
  })
}

function refundLoss(one: RefundEvidence, abuse: Abuse | undefined): Loss[] {
  const shared = { shopId: one.shopId, at: one.at, refundId: one.id, orderId: one.orderId, wxUserId: one.wxUserId }
  if (one.restock) return []
  if (abuse)
    return [
      {
        ...shared,
        mark: `refund/${one.id}`,
        kind: 'refund',
        certainty: abuse.by === 'customer' ? 'likely' : 'guess',
        cents: one.cents,
        basis: 'money',
        why:
          abuse.by === 'customer'
            ? {
                zh: `同一顾客 ${abuse.times} 次退款且商品未退回：${one.reason}`,
                en: `${abuse.times} refunds of one customer, the goods not brought back: ${one.reason}`,
              }
            : {
                zh: `同一人 ${abuse.times} 次自己申请并同意现金退款，商品未退回：${one.reason}`,
                en: `${abuse.times} cash refunds asked for and approved by one person, no goods back: ${one.reason}`,
              },
      },
    ]
  if (!EXPIRED.test(one.reason)) return []
  return [
    {
      ...shared,
      mark: `refund/${one.id}`,
      kind: 'expired',
      certainty: 'likely',
      ...worth(...one.lines.map(({ quantity, cost }) => ({ pieces: quantity, cost }))),
      why: { zh: `卖出的商品过期，已退款：${one.reason}`, en: `Sold beyond its day and refunded: ${one.reason}` },
    },
  ]
}

type Short = { count: StocktakeEvidence; left: number }

/**
 * Returns the losses of stocktakes that nothing else explains. Pieces booked back by abusive refunds count as refund
 * losses.
 */
function countLosses({ counted, taken, refunded }: LossEvidence, abusive: ReadonlyMap<string, Abuse>): Loss[] {
  const losses: Loss[] = []
  for (const counts of Map.groupBy(counted, ({ goodId }) => goodId).values()) {
    const { goodId } = counts[0]!
    const gone = taken.filter((one) => one.goodId === goodId).map((one) => ({ at: one.at, left: one.pieces }))
    const back = refunded
      .filter(({ id, restock }) => restock && abusive.has(id))
      .flatMap((refund) =>
        refund.lines
          .filter((line) => line.goodId === goodId)
          .map((line) => ({ refund, at: refund.at, left: line.quantity })),
      )
    losses.push(...shortOf(counts, gone, back))
  }
  return losses
}

type Pool = { at: number; left: number }

/** Takes pieces from entries before a time, in order; returns how many from which entry. */
function drain<T extends Pool>(pool: readonly T[], until: number, wanted: number): { from: T; pieces: number }[] {
  const out: { from: T; pieces: number }[] = []
  for (const from of pool) {
    if (wanted <= 0) break
    if (from.at > until || from.left <= 0) continue
    const pieces = Math.min(from.left, wanted)
    from.left -= pieces
    wanted -= pieces
    out.push({ from, pieces })
  }
  return out
}

function shortOf(
  counts: readonly StocktakeEvidence[],
  gone: readonly Pool[],
  back: readonly (Pool & { refund: RefundEvidence })[],
): Loss[] {
  const losses: Loss[] = []
  const open: Short[] = []
  for (const count of counts.toSorted((a, b) => a.at - b.at)) {
    if (count.change > 0) {
      let found = count.change
      // Found pieces cancel the latest shortage first, the most likely miscount.
      for (const short of open.toReversed()) {
        const pieces = Math.min(short.left, found)
        short.left -= pieces
        found -= pieces
      }
      continue
    }
    let short = -count.change
    for (const { pieces } of drain(gone, count.at, short)) short -= pieces
    for (const { from, pieces } of drain(back, count.at, short)) {
      short -= pieces
      losses.push(neverBack(count, from.refund, pieces))
    }
    if (short > 0) open.push({ count, left: short })
  }
  return [...losses, ...open.filter(({ left }) => left > 0).map(miscounted)]
}

const ofCount = ({ shopId, at, goodId, stocktakeId, id }: StocktakeEvidence, pieces: number) => ({
  shopId,
  at,
  goodId,
  stocktakeId,
  storageLogId: id,
  quantity: pieces,
})

const neverBack = (count: StocktakeEvidence, refund: RefundEvidence, pieces: number): Loss => ({
  ...ofCount(count, pieces),
  mark: `count/${count.id}/refund/${refund.id}`,
  kind: 'refund',
  certainty: 'likely',
  ...worth({ pieces, cost: count.cost }),
  refundId: refund.id,
  orderId: refund.orderId,
  wxUserId: refund.wxUserId,
  why: {
    zh: `${count.name} ×${pieces} 退款时记为已退回，盘点时没有`,
    en: `${count.name} ×${pieces} was booked back by a refund and was not there when counted`,
  },
})

const miscounted = ({ count, left }: Short): Loss => ({
  ...ofCount(count, left),
  mark: `count/${count.id}`,
  kind: 'miscounted',
  certainty: 'guess',
  ...worth({ pieces: left, cost: count.cost }),
  why: {
    zh: `盘点少了 ${count.name} ×${left}，没有其他原因能解释`,
    en: `${count.name} ×${left} missing when counted, and nothing else explains it`,
  },
})
