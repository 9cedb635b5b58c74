import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { processEachRow, invalidValueError } from '#kit/server/database/each-alone.ts'
import { truncateText } from '#kit/server/base/foreign-text.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import {
  claimLatestSnapshot,
  readSnapshotStartTime,
  repushOpenState,
  type PlatformRow,
} from '#domains/sales/delivery-platforms/api.ts'
import type { MeituanShopClient } from './connection.ts'
import { MEITUAN_REVIEW_APPROVED } from './synced-resources.ts'
import { codeOf, requireCode } from './good-code.ts'
import { meituanGoodsAuditStatus } from './meituan-running.resource.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'

const PAGE = 100

/** Reads a shop's review, online and opening state and stores it, unless a later reading was stored. */
export async function refreshMeituanShopStatus(
  services: Services,
  tenantId: string,
  { calls, code, shop }: MeituanShopClient,
) {
  const begun = await services.unit({ tenantId }, readSnapshotStartTime)
  const [states, audits] = await Promise.all([calls.shops([code]), calls.shopAudits([code])])
  const [state = {}] = states.data as Record<string, any>[]
  const [audit = {}] = audits.data as Record<string, any>[]
  const { is_online: isOnline, open_level: openLevel } = state
  const patch = await readState(services, code, { isOnline, openLevel, auditStatus: audit.status })
  const words = truncateText(String(audit.reason ?? ''), REASON_MAX) || null
  await services.unit({ tenantId }, async (db) => {
    const row = (await db.get(meituanShopInfo, shop.id, 'forUpdate')) as PlatformRow | undefined
    if (!row || !(await claimLatestSnapshot(db, shop.id, begun))) return
    const isSame = Object.entries(patch).every(([key, value]) => row[key] === value)
    if (isSame && words === (row.auditReason ?? null)) return
    await db.run(sql`update meituan_shop_info set is_online = ${patch.isOnline ?? row.isOnline},
      open_level = ${patch.openLevel ?? row.openLevel}, audit_status = ${patch.auditStatus ?? row.auditStatus},
      audit_reason = ${words} where tenant_id = ${db.tenantId} and id = ${shop.id}`)
    // Approved just now: the shop is to be opened.
    if (row.auditStatus !== MEITUAN_REVIEW_APPROVED && patch.auditStatus === MEITUAN_REVIEW_APPROVED)
      await repushOpenState(db, meituanShopInfo, shop.id, services.now())
    publishRowsChanged({ db }, meituanShopInfo, [row])
  })
}

type ShopState = { isOnline?: number; openLevel?: number; auditStatus?: number }

/** Reads the state of a shop at the platform; a value that is no number is left out, so that ours stays as it was. */
async function readState(
  services: Services,
  shop: string,
  values: Record<keyof ShopState, unknown>,
): Promise<ShopState> {
  const state: ShopState = {}
  const given = Object.entries(values).filter(([, value]) => value !== undefined) as [keyof ShopState, unknown][]
  await processEachRow(given, {
    handle: ([key, value]) => void (state[key] = readSmall(key, value)),
    failed: (_one, _reason, err) =>
      services.log.warn({ err, shop }, 'The state of a shop at Meituan could not be read'),
  })
  return state
}

type Audit = { code: string; name: string; status: number; soldOut: number; tag: string; reason: string }

const SMALL_MAX = 10_000
const [NAME_MAX, TAG_MAX, REASON_MAX] = [100, 64, 500]

/** Reads the review state of a product. Throws when a value is invalid, with its name. */
function readAudit(row: Record<string, unknown>): Audit {
  return {
    code: requireCode(row),
    name: textIn(row, 'name', NAME_MAX),
    // Written both ways in answers of the platform.
    status: readSmall('audit_status', row.audit_status ?? row.aduit_status),
    soldOut: readSmall('is_sold_out', row.is_sold_out),
    tag: textIn(row, 'tag_id', TAG_MAX),
    reason: textIn(row, 'reason', REASON_MAX),
  }
}

function readSmall(key: string, value: unknown): number {
  const number = Number(value ?? 0)
  const isSmall = Number.isInteger(number) && Math.abs(number) <= SMALL_MAX
  if (!isSmall || (typeof value === 'object' && value !== null)) throw invalidValueError(key, value)
  return number
}

function textIn(row: Record<string, unknown>, key: string, max: number): string {
  const value = row[key] ?? ''
  if (typeof value !== 'string' && typeof value !== 'number') throw invalidValueError(key, value)
  return truncateText(String(value), max)
}

/** Reads and stores the review state of all products of a shop. */
export async function refreshMeituanGoodsReviews(
  services: Services,
  tenantId: string,
  { calls, code, shop }: MeituanShopClient,
) {
  for (let page = 1; ; page++) {
    const data = (await calls.goodsAudits(code, page, PAGE)).data as Record<string, any>[]
    // The last of several rows for one product counts, since one statement can write a row only once.
    const audits = new Map<string, Audit>()
    await processEachRow(data, {
      handle: (one) => {
        const audit = readAudit(one)
        audits.set(audit.code, audit)
      },
      failed: (one, reason, err) => {
        services.log.warn({ err, shop: code }, 'The review of goods at Meituan could not be read')
        const known = codeOf(one)
        // The state is unknown; the reason shows why.
        if (known) audits.set(known, { code: known, name: '', status: 0, soldOut: 0, tag: '', reason })
      },
    })
    if (audits.size)
      await services.unit({ tenantId }, (db) =>
        keepAudits(db, services, shop as { id: string; shopId: string }, [...audits.values()]),
      )
    if (data.length < PAGE) return
  }
}

async function keepAudits(
  db: Db,
  services: Services,
  { id, shopId }: { id: string; shopId: string },
  audits: readonly Audit[],
): Promise<void> {
  const kept = JSON.stringify(audits.map((one) => ({ ...one, id: newId() })))
  const changed = await db.query<{ id: string; shopId: string }>(sql`
    insert into meituan_goods_audit_status as a (id, tenant_id, meituan_shop_id, shop_id, meituan_sku_id, app_spu_code,
      name, audit_status, is_sold_out, tag_id, reason, audit_time)
    select n.id, ${db.tenantId}, ${id}::bigint, ${shopId}::bigint, s.id, n.code, n.name, n.status, n."soldOut",
      nullif(n.tag, ''), nullif(n.reason, ''), ${formatShanghaiTime(services.now())}::timestamptz
    from jsonb_to_recordset(${kept}::jsonb) as n(id bigint, code text, name text, status int, "soldOut" int, tag text,
      reason text)
    left join lateral (select id from meituan_sku_info where tenant_id = ${db.tenantId} and meituan_shop_id = ${id}
      and platform_sku_id = n.code and is_deleted = 0 order by id limit 1) s on true
    on conflict (tenant_id, meituan_shop_id, app_spu_code) do update
      set audit_status = excluded.audit_status, is_sold_out = excluded.is_sold_out, reason = excluded.reason,
        name = excluded.name, meituan_sku_id = excluded.meituan_sku_id, audit_time = excluded.audit_time
      where (a.audit_status, a.is_sold_out, a.reason, a.name, a.meituan_sku_id)
        is distinct from (excluded.audit_status, excluded.is_sold_out, excluded.reason, excluded.name,
          excluded.meituan_sku_id)
    returning id, shop_id`)
  publishRowsChanged({ db }, meituanGoodsAuditStatus, changed)
}
