import { f } from '#kit/resource/index.ts'
import { refuseOnVendorError } from '#domains/platform/external-apis/api.ts'
import { findPlatformAccount, type PlatformRow } from '#domains/sales/delivery-platforms/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { parsePageRequest } from '#kit/server/query/filters.ts'
import { resourceColumnsSql } from '#kit/server/database/row-sql.ts'
import { visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, type Call, type ServedResource } from '#kit/server/module/module.ts'
import { createMeituanApiForAccount, meituanShopCodeOf } from './connection.ts'
import { meituanGeneralAttrs } from './meituan-catalogue.resource.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'

const SHOPS_AT_ONCE = 50

/** Reads the state of shops at the platform now, with labels. */
async function statusOf(served: ServedResource, call: Call, ids: readonly string[]) {
  const { services, caller, lang } = call
  const shops = await services.unit({ tenantId: caller.tenantId }, (db) =>
    db.query<PlatformRow>(sql`select ${resourceColumnsSql(meituanShopInfo)} ${visibleRowsSql(served, { ...call, db })}
      and r.id = any(${ids.slice(0, SHOPS_AT_ONCE)}::bigint[]) and r.platform_shop_id is not null`),
  )
  if (!shops.length) return []
  await services.labels.ready(caller.tenantId)
  const states = new Map<string, Record<string, any>>()
  for (const [tenantId, own] of Map.groupBy(shops, (one) => String(one.tenantId))) {
    const account = await services.unit({ tenantId }, (db) => findPlatformAccount(db, services, 'meituan'))
    if (!account) throw new Refused('meituan_no_account')
    const { data } = await refuseOnVendorError(() =>
      createMeituanApiForAccount(services, account, own[0]).shops(own.map(meituanShopCodeOf)),
    )
    for (const one of data as Record<string, any>[]) states.set(String(one.app_poi_code), one)
  }
  const { openLevel, isOnline } = meituanShopInfo.fields
  return shops.map((shop) => {
    const state = states.get(meituanShopCodeOf(shop))
    const [open, online] = [Number(state?.open_level ?? 0), Number(state?.is_online ?? 0)]
    return {
      id: shop.id,
      openLevel: state ? open : null,
      openLevelName: state ? services.labels.dict(caller.tenantId, openLevel, open, lang) : '',
      isOnline: state ? online : null,
      isOnlineName: state ? services.labels.dict(caller.tenantId, isOnline, online, lang) : '',
    }
  })
}

export const createMeituanStatusRoute = (served: ServedResource) =>
  defineRoute({
    method: 'GET',
    path: '/api/meituan/shop/status/get',
    title: { zh: '门店在美团的营业状态', en: 'Meituan store live status' },
    can: 'meituanShopInfo',
    tx: false,
    input: { ids: f.refs('', { label: meituanShopInfo.label, required: true }) },
    handle: (call) => statusOf(served, call, call.input.ids),
  })

/** Values of an attribute that has too many to be kept here, as brands have. */
export const attributeValuesRoute = defineRoute({
  method: 'GET',
  path: '/api/meituan/category/attr/value/list',
  title: { zh: '类目属性的可选值', en: 'Attribute values' },
  can: ['meituanGeneralAttrs', 'meituanSkuInfo'],
  tx: false,
  input: {
    attrId: meituanGeneralAttrs.fields.attrId,
    keyword: f.text({ label: { zh: '关键字', en: 'Keyword' }, max: 50 }),
  },
  handle: async ({ input: { attrId, keyword }, query, caller, services }) => {
    const { tenantId } = caller
    const account = await services.unit({ tenantId }, (db) => findPlatformAccount(db, services, 'meituan'))
    if (!account) throw new Refused('meituan_no_account')
    const page = parsePageRequest(query)
    const found = await refuseOnVendorError(() =>
      createMeituanApiForAccount(services, account).attributeValues(attrId, keyword ?? '', page),
    )
    const records = (found.data as Record<string, unknown>[]).map(({ valueId, value }) => ({
      valueId: String(valueId),
      value: String(value),
    }))
    const total = found.total ?? records.length
    return { records, total, size: page.size, current: page.current, pages: Math.ceil(total / page.size) }
  },
})
