import { VendorError } from '#domains/platform/external-apis/api.ts'
import { findWechatAccount, createWechatPay } from '#domains/money/wechat-pay/api.ts'
import { f } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, defineRoute, type Call } from '#kit/server/module/module.ts'
import { forEachTenantOfRows } from '#kit/server/resource/remove-of.ts'
import { lockVisibleRow, publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { APPLY_STATE } from './dictionaries.ts'
import { merchantInfo } from './merchant-info.resource.ts'
import { bindShops, merchantInfoServer, visibleMerchantsSql } from './merchants.server.ts'
import { payApply } from './pay-apply.resource.ts'

const { label } = payApply.fields.subMchid
const subMchid = f.text({ label, max: 32, pattern: '^\\d{6,32}$', sample: '1900000109' })
const input = {
  id: f.ref(payApply.name, { label: payApply.label }),
  subMchid,
  shopIds: f.refs('basicShopInfo', { label: merchantInfo.fields.shopIds.label }),
  shopId: f.ref('basicShopInfo', { label: merchantInfo.fields.shopIds.label }),
}

type ApplicationRef = { id: string; merchantId: string; subMchid: string }
/** Identifies an application: by its id, or by the sub-merchant number, as older clients do. */
type Which = { id: string | null; subMchid: string | null }

const finishedOf = (db: Db, which: Which) =>
  db.one<ApplicationRef>(sql`select id, merchant_id, sub_mchid from pay_apply where tenant_id = ${db.tenantId}
    and ${named(which)}`)

const named = ({ id, subMchid }: Which) =>
  sql`${id ? sql`id = ${id}` : sql`sub_mchid = ${subMchid}`} and sub_mchid is not null
    and status = ${APPLY_STATE.finished} and is_deleted = 0`

/** Returns the finished application; for platform administrators of any tenant. */
const applicationOf = (call: Call, which: Which): Promise<ApplicationRef | undefined> =>
  call.caller.isPlatform
    ? call.db.acrossTenants('platform administrator binds shops to a sub-merchant of a tenant', (all) =>
        all.one<ApplicationRef>(sql`select id, merchant_id, sub_mchid from pay_apply where ${named(which)}`),
      )
    : finishedOf(call.db, which)

/** Returns null when WeChat Pay refuses a query, as the other results are still useful. */
async function orNull<T>(found: Promise<T>): Promise<T | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof VendorError) return null
    throw error
  }
}

async function askPlatform({ services }: Call, tenantId: string, subMchid: string) {
  const account = await services.unit({ tenantId }, (db) => findWechatAccount(services, db))
  if (!account) return { settlement: null, authorizeState: null, maxRatio: null }
  const pay = createWechatPay(services, account)
  const [settlement, consent, maxRatio] = await Promise.all([
    orNull(pay.settlement(subMchid)),
    orNull(pay.consent(subMchid)),
    orNull(pay.maxRatio(subMchid)),
  ])
  return { settlement, authorizeState: consent?.authorize_state ?? null, maxRatio }
}

/** Routes to link shops with a sub-merchant number and to show the links with WeChat Pay's state of the number. */
export const bindRoutes = [
  defineRoute({
    method: 'POST',
    path: `${payApply.path}/bindShop`,
    title: { zh: '进件绑定门店', en: 'Link stores to sub-merchant' },
    can: 'payApply_bindShop',
    input,
    handle: async (call) => {
      const { id, shopIds, shopId } = call.input
      if (!id && !call.input.subMchid) throw invalidFieldRefusal({ fields: input }, 'subMchid', 'required')
      const wanted = [...new Set([...(shopIds ?? []), ...(shopId ? [shopId] : [])])]
      if (!wanted.length) throw invalidFieldRefusal({ fields: input }, 'shopIds', 'required')
      const found = await applicationOf(call, { id, subMchid: call.input.subMchid })
      if (!found) throw new Refused('apply_other_merchant', { subMchid: call.input.subMchid ?? '' })
      const { subMchid } = found
      await forEachTenantOfRows(call, payApply, [found.id], async (_ids, db) => {
        const inside = { ...call, db }
        const merchant = await lockVisibleRow(merchantInfoServer, inside, found.merchantId)
        const all = [...new Set([...((merchant.shopIds as string[] | null) ?? []), ...wanted])]
        const known = await db.query(
          sql`select 1 from basic_shop_info where tenant_id = ${db.tenantId} and is_deleted = 0
            and id = any(${wanted}::bigint[])`,
        )
        if (known.length !== wanted.length) throw invalidFieldRefusal({ fields: input }, 'shopIds', 'not_found')
        const row = await db.update(merchantInfo, merchant.id, { subMchid, shopIds: all })
        await bindShops(inside, row.id, all)
        publishRowsChanged(inside, merchantInfo, [row])
      })
      return { subMchid, shopIds: wanted }
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${payApply.path}/bindInfo`,
    title: { zh: '进件绑定信息', en: 'Sub-merchant store links' },
    can: 'payApply',
    tx: false,
    input: { subMchid: { ...subMchid, required: true } },
    handle: async (call) => {
      const { subMchid } = call.input
      const { tenantId } = call.caller
      const shops = await call.services.unit({ tenantId }, (db) =>
        db.query<{ id: string; shopName: string }>(
          sql`select b.id, b.shop_name from basic_shop_info b join merchant_info r on r.tenant_id = b.tenant_id
            and r.id = b.merchant_id and r.is_deleted = 0 where b.tenant_id = ${tenantId} and b.is_deleted = 0
            and r.sub_mchid = ${subMchid}${visibleMerchantsSql(call, sql`r.id`)} order by b.id limit 500`,
        ),
      )
      if (!shops.length) return { shops, settlement: null, authorizeState: null, maxRatio: null }
      return { subMchid, shops, ...(await askPlatform(call, tenantId, subMchid)) }
    },
  }),
]
