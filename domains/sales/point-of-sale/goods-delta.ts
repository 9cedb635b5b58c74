import { formatYuan } from '#kit/fields/money/cents.ts'
import { readBatch, sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Call } from '#kit/server/module/module.ts'
import { cashRegisterOfCaller } from './credentials.ts'

const SIZE_DEFAULT = 500
/** A change becomes visible when its transaction ends, later than its time says: each new round looks so far back. */
const OVERLAP_SECONDS = 180

type Cursor = { at: string; id: string; isRound: boolean }

const encode = (cursor: Cursor) =>
  Buffer.from(`${cursor.at}|${cursor.id}|${cursor.isRound ? 1 : 0}`).toString('base64url')

function decode(text: string | null): Cursor {
  if (!text) return { at: '1970-01-01T00:00:00.000000Z', id: '0', isRound: false }
  const [at = '', id = '', isRound] = Buffer.from(text, 'base64url').toString('utf8').split('|')
  if (!/^\d{4}-\d{2}-\d{2}T[\d:.]{8,15}Z$/.test(at) || Number.isNaN(Date.parse(at)) || !/^\d{1,18}$/.test(id))
    throw new Refused('cursor_bad')
  return { at, id, isRound: isRound === '1' }
}

type Row = {
  id: string
  upc: string
  name: string
  spec: string | null
  unit: string | null
  typeName: string | null
  salePrice: number | null
  vipPrice: number | null
  stock: number
  onSale: boolean
  isRemoved: boolean
  at: string
}

/**
 * Returns the products of the register's shop changed since a cursor, oldest change first, with removed ones marked.
 * Some may come twice, none is missed.
 */
export async function findGoodsChangedSince(
  call: Call<{ cursor: string | null; size: number | null }>,
): Promise<Record<string, unknown>> {
  const { shopId } = cashRegisterOfCaller(call.caller)
  const { tenantId } = call.caller
  const cursor = decode(call.input.cursor)
  const size = call.input.size ?? SIZE_DEFAULT
  const since = cursor.isRound
    ? sql`(g.update_time, g.id) > (${cursor.at}::timestamptz, ${cursor.id}::bigint)`
    : sql`g.update_time > ${cursor.at}::timestamptz - make_interval(secs => ${OVERLAP_SECONDS})`
  const [rows] = await readBatch(call.services.pool, { tenantId }, [
    sql`
    select g.id, g.upc, g.name, g.spec, g.unit, t.name as type_name, g.sale_price,
    g.vip_price, coalesce(g.stock, 0) as stock, coalesce(g.on_sale, true) as on_sale,
      g.is_deleted = 1 as is_removed, to_char(g.update_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from good_info g left join good_type t on t.id = g.good_type_id and t.tenant_id = g.tenant_id
    where g.tenant_id = ${tenantId} and g.shop_id = ${shopId} and ${since} order by g.update_time, g.id
    limit ${size + 1}`,
  ])
  const page = (rows as Row[]).slice(0, size)
  const hasMore = rows!.length > size
  const last = page.at(-1)
  return {
    goods: page.map(({ at: _at, salePrice, vipPrice, ...row }) => ({
      ...row,
      spec: row.spec ?? '',
      unit: row.unit ?? '',
      typeName: row.typeName ?? '',
      salePrice: formatYuan(salePrice ?? 0),
      vipPrice: vipPrice === null ? '' : formatYuan(vipPrice),
    })),
    cursor: encode(last ? { at: last.at, id: last.id, isRound: hasMore } : { ...cursor, isRound: false }),
    hasMore,
  }
}
