import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { eachAlone } from '#kit/server/each-alone.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { isLatestSnapshot, snapshotStartedAt, repushOpenState, type Row } from '#domains/thirdparty/doors.ts'
import type { MeituanShop } from './connection.ts'
import { APPROVED } from './families.ts'
import { meituanGoodsAuditStatus } from './meituan-running.resource.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'

const PAGE = 100

/** How a shop stands there: reviewed, online, open. */
export async function noteShopState(services: Services, tenantId: string, { calls, code, shop }: MeituanShop) {
  const begun = await services.unit({ tenantId }, snapshotStartedAt)
  const [states, audits] = await Promise.all([calls.shops([code]), calls.shopAudits([code])])
  const [state = {}] = states.data as Record<string, any>[]
  const [audit = {}] = audits.data as Record<string, any>[]
  const patch = {
    ...(state.is_online === undefined ? {} : { isOnline: Number(state.is_online) }),
    ...(state.open_level === undefined ? {} : { openLevel: Number(state.open_level) }),
    ...(audit.status === undefined ? {} : { auditStatus: Number(audit.status) }),
  }
  const words = String(audit.reason ?? '').slice(0, 500) || null
  await services.unit({ tenantId }, async (db) => {
    const row = (await db.get(meituanShopInfo, shop.id, 'forUpdate')) as Row | undefined
    if (!row || !(await isLatestSnapshot(db, shop.id, begun))) return
    const isSame = Object.entries(patch).every(([key, value]) => row[key] === value)
    if (isSame && words === (row.auditReason ?? null)) return
    await db.run(sql`update meituan_shop_info set is_online = ${patch.isOnline ?? row.isOnline},
      open_level = ${patch.openLevel ?? row.openLevel}, audit_status = ${patch.auditStatus ?? row.auditStatus},
      audit_reason = ${words} where tenant_id = ${db.tenantId} and id = ${shop.id}`)
    // Let in just now, it is to be opened.
    if (row.auditStatus !== APPROVED && patch.auditStatus === APPROVED)
      await repushOpenState(db, meituanShopInfo, shop.id, services.now())
    publishChanged({ db }, meituanShopInfo, [row])
  })
}

type Audit = { code: string; name: string; status: number; soldOut: number; tag: string; reason: string }

function readAudit(one: Record<string, any>): Audit {
  const [status, soldOut] = [Number(one.audit_status ?? one.aduit_status ?? 0), Number(one.is_sold_out ?? 0)]
  for (const [key, value] of Object.entries({ audit_status: status, is_sold_out: soldOut }))
    if (!Number.isInteger(value) || Math.abs(value) > SMALL_MAX) throw new TypeError(`${key}: ${String(value)}`)
  return {
    code: String(one.app_spu_code ?? ''),
    name: String(one.name ?? '').slice(0, 100),
    // Written both ways in answers of the platform.
    status,
    soldOut,
    tag: String(one.tag_id ?? ''),
    reason: String(one.reason ?? '').slice(0, 500),
  }
}

const SMALL_MAX = 10_000

/** Where the goods of a shop stand in the review. */
export async function noteAudits(services: Services, tenantId: string, { calls, code, shop }: MeituanShop) {
  for (let page = 1; ; page++) {
    const data = (await calls.goodsAudits(code, page, PAGE)).data as Record<string, any>[]
    const audits: Audit[] = []
    await eachAlone(data, {
      handle: (one) => void audits.push(readAudit(one)),
      failed: (one, reason, err) => {
        services.log.warn({ err, shop: code }, 'The review of goods at Meituan could not be read')
        const known = one?.app_spu_code
        // Where it stands is not known; why stands where it would.
        if (typeof known === 'string' && known)
          audits.push({ code: known, name: '', status: 0, soldOut: 0, tag: '', reason })
      },
    })
    if (audits.length)
      await services.unit({ tenantId }, (db) =>
        keepAudits(db, services, shop as { id: string; shopId: string }, audits),
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
      nullif(n.tag, ''), nullif(n.reason, ''), ${shanghaiText(services.now())}::timestamptz
    from jsonb_to_recordset(${kept}::jsonb) as n(id bigint, code text, name text, status int, "soldOut" int, tag text,
      reason text)
    left join meituan_sku_info s on s.tenant_id = ${db.tenantId} and s.meituan_shop_id = ${id}
      and s.platform_sku_id = n.code and s.is_deleted = 0
    on conflict (tenant_id, meituan_shop_id, app_spu_code) do update
      set audit_status = excluded.audit_status, is_sold_out = excluded.is_sold_out, reason = excluded.reason,
        name = excluded.name, meituan_sku_id = excluded.meituan_sku_id, audit_time = excluded.audit_time
      where (a.audit_status, a.is_sold_out, a.reason, a.name, a.meituan_sku_id)
        is distinct from (excluded.audit_status, excluded.is_sold_out, excluded.reason, excluded.name,
          excluded.meituan_sku_id)
    returning id, shop_id`)
  publishChanged({ db }, meituanGoodsAuditStatus, changed)
}
