import { BarcodeMap } from '#domains/catalogue/products/index.ts'
import { parseScaledDecimal, parseIdInput } from '#kit/fields/base/field-kind.ts'
import { empty, sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { TRANSFER_STATE } from './dictionaries.ts'
import { hasBarcodeSql, lockBarcodes, recordPriceChange } from '#domains/catalogue/products/api.ts'
import { receiveGoods, type StockReceiptLine } from './receive-goods.ts'
import { newDocumentNo } from './returns.server.ts'
import { lockGoods, moveStock } from './stock.ts'
import { stockTransfer } from './stock-transfer.resource.ts'

type Transfer = RowOf<typeof stockTransfer>

/** Pieces taken from one batch: enough to create the batch in the receiving shop or to put them back. */
type Left = {
  batchId: string
  batchNo: string
  quantity: number
  costPrice: number | null
  productionDate: string | null
  expiryDate: string | null
}

export type TransferLine = {
  goodId: string
  upc: string
  name: string
  quantity: number
  received?: number
  batches?: Left[]
}

export const transferLinesOf = (transfer: Transfer): TransferLine[] => (transfer.lines as TransferLine[] | null) ?? []

const LINES_MAX = 200

const badLines = () => invalidFieldRefusal(stockTransfer, 'lines', 'bad_format')

/** Parses lines `[{ goodId, quantity }]` and adds barcode and name. Refuses goods of another shop and duplicates. */
async function parseLines(db: Db, given: unknown, fromShopId: string): Promise<TransferLine[]> {
  if (!Array.isArray(given) || given.length > LINES_MAX) throw badLines()
  const requested = given.map((one: unknown) => {
    const { goodId, quantity } = (one ?? {}) as Record<string, unknown>
    const id = parseIdInput(goodId)
    const count = parseScaledDecimal(quantity, 0)
    if ('problem' in id || id.value === null || count === undefined || count < 1 || count > 1_000_000) throw badLines()
    return { goodId: id.value, quantity: count }
  })
  if (new Set(requested.map((line) => line.goodId)).size !== requested.length) throw new Refused('goods_twice')
  const goods = await db.query<{ id: string; upc: string; name: string }>(
    sql`select id, upc, name from good_info where tenant_id = ${db.tenantId}
      and id = any(${requested.map((line) => line.goodId)}::bigint[]) and shop_id = ${fromShopId} and is_deleted = 0`,
  )
  return requested.map((line) => {
    const good = goods.find((one) => one.id === line.goodId)
    if (!good) throw new Refused('good_of_other_shop')
    return { ...line, upc: good.upc, name: good.name }
  })
}

const piecesOf = (lines: readonly { quantity: number }[]) => lines.reduce((sum, line) => sum + line.quantity, 0)
const summaryOf = (lines: readonly TransferLine[]) => {
  const text = lines.map((line) => `${line.name} ×${line.quantity}`).join('、')
  return [...text].length > 240 ? `${[...text].slice(0, 239).join('')}…` : text
}

/**
 * Sends a transfer: takes its goods out of the sender's batches, first expired first out. Refuses more than there is.
 */
export async function sendTransfer(db: Db, transfer: Transfer, now: Date): Promise<Transfer> {
  const lines = transferLinesOf(transfer)
  if (!lines.length) throw new Refused('transfer_empty')
  const goods = await lockGoods(
    db,
    lines.map((line) => line.goodId),
  )
  for (const line of lines) {
    const good = goods.get(line.goodId)!
    if (good.stock < line.quantity)
      throw new Refused('stock_short', { name: good.name, stock: good.stock, quantity: line.quantity })
  }
  const moved = await moveStock(
    db,
    lines.map((line) => ({ goodId: line.goodId, change: -line.quantity })),
    {
      type: 'transfer',
      refType: 'transfer',
      refId: transfer.id,
    },
  )
  const batches = await db.query<Omit<Left, 'quantity' | 'batchId'> & { id: string }>(
    sql`select id, batch_no, cost_price, production_date, expiry_date from storage_batch
      where tenant_id = ${db.tenantId} and id =
      any(${moved.flatMap((one) => one.batches.map((share) => share.batchId))}::bigint[])`,
  )
  const sent = lines.map((line, at): TransferLine => ({
    ...line,
    batches: moved[at]!.batches.map(({ batchId, quantity }) => {
      const { id: _id, ...batch } = batches.find((one) => one.id === batchId)!
      return { ...batch, batchId, quantity }
    }),
  }))
  return requireTransition({ db }, stockTransfer, transfer.id, 'dispatch', {
    lines: sent,
    costAmount: moved.reduce((sum, one) => sum + one.cost, 0),
    sendTime: formatShanghaiTime(now),
    sendUser: db.userId === '0' ? null : db.userId,
  })
}

/** Splits the sent pieces into the first `quantity` and the rest, batch by batch. */
function split(batches: readonly Left[], quantity: number): { first: Left[]; rest: Left[] } {
  let left = quantity
  const [first, rest]: [Left[], Left[]] = [[], []]
  for (const batch of batches) {
    const part = Math.min(left, batch.quantity)
    if (part) first.push({ ...batch, quantity: part })
    if (part < batch.quantity) rest.push({ ...batch, quantity: batch.quantity - part })
    left -= part
  }
  return { first, rest }
}

/**
 * Returns the receiver's product id for each product of the sender. Matches by the barcode at sending, else by the
 * current one, which may have been corrected meanwhile. Products the receiver does not have are created with the
 * sender's texts and prices, off sale until somebody changes that.
 */
async function receivingGoods(
  db: Db,
  transfer: Transfer,
  wanted: readonly TransferLine[],
): Promise<Map<string, string>> {
  const sent = await db.query<{ id: string; upc: string }>(
    sql`select id, upc from good_info where tenant_id = ${db.tenantId}
      and id = any(${wanted.map((line) => line.goodId)}::bigint[])`,
  )
  const now = new Map(sent.map((good) => [good.id, good.upc]))
  const lines = wanted.map(({ goodId, upc }) => ({ goodId, left: upc, now: now.get(goodId) ?? upc }))
  const find = async () =>
    new BarcodeMap(
      (
        await db.query<{ id: string; upc: string }>(
          sql`select id, upc from good_info where tenant_id = ${db.tenantId} and shop_id = ${transfer.toShopId}
            and ${hasBarcodeSql(
              sql`upc`,
              lines.flatMap((line) => [line.left, line.now]),
            )} and is_deleted = 0`,
        )
      ).map((good) => [good.upc, good.id] as const),
    )

  await lockBarcodes(
    db,
    transfer.toShopId,
    lines.map((line) => line.now),
  )
  const known = await find()
  const receivingIds = new Map<string, string>()

  for (const line of lines.toSorted((a, b) => (a.now < b.now ? -1 : 1))) {
    const have = known.get(line.left) ?? known.get(line.now)
    const id = have ?? newId()
    const isNew =
      !have &&
      (await db.run(sql`insert into good_info (id, tenant_id, shop_id, upc, name, spec, brand, unit, picture,
        good_type_id, sale_price, cost_price, vip_price, stock, stock_seq, low_stock, on_sale, sort, create_user,
        update_user)
      select ${id}, g.tenant_id, ${transfer.toShopId}, ${line.now}, g.name, g.spec, g.brand, g.unit, g.picture, case
      when t.shop_id is null then g.good_type_id end, g.sale_price, g.cost_price, g.vip_price, 0, 0, g.low_stock, false,
      g.sort, ${db.userId}, ${db.userId}
      from good_info g left join good_type t on t.id = g.good_type_id and t.tenant_id = g.tenant_id
      where g.id = ${line.goodId} and g.tenant_id = ${db.tenantId}
      on conflict do nothing`))
    if (isNew) await recordPriceChange(db, undefined, id)
    if (have || isNew) receivingIds.set(line.goodId, id)
  }

  // Products somebody else has created meanwhile.
  const late = lines.filter((line) => !receivingIds.has(line.goodId))
  const added = late.length ? await find() : known
  for (const { goodId, now: upc } of late) if (added.has(upc)) receivingIds.set(goodId, added.get(upc)!)
  return receivingIds
}

/**
 * Receives a transfer: arrived pieces become batches of the receiver with the same cost and dates. Missing pieces are
 * lost, or go back to the sender's batches (`unsent`). Refuses more than was sent.
 */
export async function receiveTransfer(
  db: Db,
  transfer: Transfer,
  arrived: ReadonlyMap<string, number>,
  remainder: 'lost' | 'unsent',
  now: Date,
): Promise<Transfer> {
  const lines = transferLinesOf(transfer).map((line) => {
    const received = arrived.get(line.goodId) ?? line.quantity
    if (received > line.quantity) throw new Refused('transfer_too_many', { name: line.name, quantity: line.quantity })
    return { ...line, received, ...split(line.batches!, received) }
  })

  for (const id of arrived.keys())
    if (!lines.some((line) => line.goodId === id)) throw new Refused('transfer_other_goods')
  const here = lines.filter((line) => line.received > 0)
  const receivingIds = await receivingGoods(db, transfer, here)
  // Locks the goods of both shops before any movement: a transfer in the other direction may run at the same time.
  await lockGoods(db, [...new Set([...lines.map((line) => line.goodId), ...receivingIds.values()])])

  const receipts = here.flatMap((line) =>
    line.first.map((batch): StockReceiptLine => ({
      goodId: receivingIds.get(line.goodId)!,
      quantity: batch.quantity,
      costPrice: batch.costPrice,
      productionDate: batch.productionDate,
      expiryDate: batch.expiryDate,
      remark: `${transfer.transferNo} ${batch.batchNo}`,
    })),
  )

  const move = { type: 'transfer', refType: 'transfer', refId: transfer.id } as const
  if (receipts.length) await receiveGoods(db, { shopId: transfer.toShopId, lines: receipts, ...move })
  if (remainder === 'unsent')
    await returnToSender(
      db,
      transfer,
      lines.map((line) => ({ ...line, batches: line.rest })),
    )

  const missing = lines.reduce((sum, line) => sum + line.quantity - line.received, 0)
  return requireTransition({ db }, stockTransfer, transfer.id, 'receive', {
    lines: lines.map(({ first: _first, rest: _rest, ...line }) => line),
    received: piecesOf(lines) - missing,
    missing,
    remainder: missing ? remainder : null,
    receiveTime: formatShanghaiTime(now),
    receiveUser: db.userId === '0' ? null : db.userId,
  })
}

async function returnToSender(db: Db, transfer: Transfer, lines: readonly TransferLine[]): Promise<void> {
  const back = lines.filter((line) => line.batches!.length)
  await moveStock(
    db,
    back.map(({ goodId, batches }) => ({
      goodId,
      change: piecesOf(batches!),
      batches: batches!.map(({ batchId, quantity }) => ({ batchId, quantity })),
    })),
    { type: 'transfer', refType: 'transfer', refId: transfer.id },
  )
}

/** Returns all goods of a transfer that is under way to the batches they came from. */
export async function recallTransfer(db: Db, transfer: Transfer): Promise<Transfer> {
  await returnToSender(db, transfer, transferLinesOf(transfer))
  return requireTransition({ db }, stockTransfer, transfer.id, 'recall', { received: 0 })
}

function parseArrived(given: unknown): Map<string, number> {
  if (given === null || given === undefined) return new Map()
  if (!Array.isArray(given) || given.length > LINES_MAX) throw badLines()
  return new Map(
    given.map((one: unknown) => {
      const { goodId, received } = (one ?? {}) as Record<string, unknown>
      const count = parseScaledDecimal(received, 0)
      if (count === undefined || count < 0) throw badLines()
      return [String(goodId), count]
    }),
  )
}

/** Refuses callers limited to shops when this shop is not theirs. Sending and receiving call it with their own shop. */
function requireShop(call: Call, shopId: string | null): void {
  const shops = call.caller.limits.shop
  if (shops && !shops.includes(shopId!)) throw new Refused('transfer_other_shop')
}

/** The caller's side of a transfer by their shops: `from` or `to`, empty if both shops or neither are theirs. */
const sideOf = (shops: readonly string[] | undefined, { fromShopId, toShopId }: Transfer): 'from' | 'to' | '' => {
  const [sends, takes] = [fromShopId, toShopId].map((shop) => !shops || shops.includes(shop))
  return sends === takes ? '' : sends ? 'from' : 'to'
}

const toResult = ({ id, status, received, missing }: Transfer) => ({ id, status, received, missing })

export const stockTransferServer = serve(stockTransfer, {
  where: ({ caller, query }) => {
    const shops = caller.limits.shop as string[] | undefined
    if (!shops) return empty
    const comes = sql`r.to_shop_id = any(${shops}::bigint[])`
    if (query.isComing === 'true') return sql` and ${comes}`
    return sql` and (r.from_shop_id = any(${shops}::bigint[]) or ${comes})`
  },
  present: (wire, rows, { caller }) => {
    for (const [at, row] of rows.entries()) wire[at]!.side = sideOf(caller.limits.shop, row)
  },
  beforeSave: async (draft, was, call) => {
    const fromShopId = was?.fromShopId ?? draft.fromShopId!
    requireShop(call, fromShopId)
    if (!was && draft.toShopId === fromShopId) throw new Refused('transfer_same_shop', {}, { field: 'toShopId' })
    if (draft.lines === undefined && was) return
    if (was && was.status !== TRANSFER_STATE.draft) {
      if (JSON.stringify(draft.lines) !== JSON.stringify(was.lines)) throw new Refused('transfer_has_left')
      delete draft.lines
      return
    }
    const lines = await parseLines(call.db, draft.lines ?? [], fromShopId)
    Object.assign(draft, { lines, pieces: piecesOf(lines), summary: summaryOf(lines) })
    if (!was) draft.transferNo = newDocumentNo('DB', call.services.now())
  },
  actions: {
    dispatch: async (row, _input, call) => {
      requireShop(call, row.fromShopId)
      return toResult(await sendTransfer(call.db, row, call.services.now()))
    },
    receive: async (row, input, call) => {
      requireShop(call, row.toShopId)
      const remainder = input.remainder === 'unsent' ? 'unsent' : 'lost'
      if (input.remark) await call.db.update(stockTransfer, row.id, { remark: input.remark })
      return toResult(await receiveTransfer(call.db, row, parseArrived(input.lines), remainder, call.services.now()))
    },
    recall: async (row, _input, call) => {
      requireShop(call, row.fromShopId)
      return toResult(await recallTransfer(call.db, row))
    },
    cancel: async (row, _input, call) => {
      requireShop(call, row.fromShopId)
      return toResult(await requireTransition(call, stockTransfer, row.id, 'cancel'))
    },
  },
})
