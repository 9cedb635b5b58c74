import { f } from '#kit/resource/index.ts'
import { sql, readBatch } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { defineRoute, type Call } from '#kit/server/module/module.ts'
import { tenantSharedKey, type Json } from '#kit/server/shared/index.ts'
import { refuseOnVendorError } from '#domains/platform/external-apis/api.ts'
import { readSnapshotStartTime } from '#domains/sales/delivery-platforms/api.ts'
import { requireAccount } from './account.ts'
import { createEleCaller, toEleShopRef } from './connection.ts'
import type { EleCommand, EleCommands } from './ele-wire.ts'
import { eleShopServer } from './ele-shop-info.server.ts'
import { eleShopInfo } from './ele-shop-info.resource.ts'
import { findEleComparison } from './pull.job.ts'
import { saveEleShopStatus, toEleShopStatus } from './shop-facts.ts'

const DAY_SECONDS = 86_400
const ELE_ME = 1

const input = { id: f.text({ label: eleShopInfo.label, required: true, max: 20, pattern: '^\\d{1,19}$' }) }

type Shop = { id: string; tenantId: string; shopId: string; platformShopId: string | null }

/** Returns a shop at Ele that the caller may see; refuses others. */
async function seenShop(call: Call, id: string): Promise<Shop> {
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select r.id, r.tenant_id as "tenantId", r.shop_id as "shopId", r.platform_shop_id as "platformShopId"
      ${visibleRowsSql(eleShopServer, call)} and r.id = ${id}`,
  ])
  const row = rows![0] as Shop | undefined
  if (!row) throw new Refused('not_found', { label: eleShopInfo.label })
  return row
}

/** Calls the platform for a user, who gets its error message as refusal. */
async function askFor<C extends EleCommand>(
  { services }: Call,
  tenantId: string,
  cmd: C,
  body: EleCommands[C][0],
): Promise<EleCommands[C][1]> {
  const account = await services.unit({ tenantId }, (db) => requireAccount(db, services))
  return refuseOnVendorError(() => createEleCaller(services, account)(cmd, body))
}

/** Reads a shop's state at Ele now and stores it in the row. */
async function statusOf(call: Call, id: string): Promise<Record<string, unknown>> {
  const { services, lang } = call
  const { tenantId, platformShopId } = await seenShop(call, id)
  const shopRef = toEleShopRef({ id, platformShopId })
  const begun = await services.unit({ tenantId }, readSnapshotStartTime)
  const statusFacts = await askFor(call, tenantId, 'shop.status.get', shopRef)
  const standing = toEleShopStatus(statusFacts)
  const { shop_busstatus } = await askFor(call, tenantId, 'shop.busstatus.get', { ...shopRef, platformFlag: ELE_ME })
  await services.unit({ tenantId }, (db) => saveEleShopStatus(db, services, id, { facts: statusFacts, begun }))
  await services.labels.ready(tenantId)
  const { sysStatus, businessStatus } = standing
  const word = (key: 'sysStatus' | 'businessStatus', value: unknown) =>
    services.labels.dict(tenantId, eleShopInfo.fields[key], value, lang)
  return {
    sysStatus,
    sysStatusLabel: word('sysStatus', sysStatus),
    businessStatus,
    businessStatusLabel: word('businessStatus', businessStatus),
    busStatus: Number(shop_busstatus),
  }
}

type Category = { categoryId: string; categoryName: string; businessFormId: string }

/** Business categories of Ele below `above`, cached for a day per tenant. */
async function categoriesOf(call: Call, above: string): Promise<Category[]> {
  const { services, caller } = call
  const { tenantId } = caller
  const { appNo } = await services.unit({ tenantId }, (db) => requireAccount(db, services))
  const key = tenantSharedKey(tenantId, 'ele/categories', appNo, above)
  const known = await services.shared.read(key)
  if (known) return known as Category[]
  const rows = await askFor(call, tenantId, 'common.businesscategories', above ? { category_id: above } : {})
  const categories = rows.map(({ category_id, category_name, business_form_id }) => ({
    categoryId: String(category_id),
    categoryName: category_name,
    businessFormId: String(business_form_id ?? ''),
  }))
  await services.shared.put(key, categories satisfies Json, DAY_SECONDS)
  return categories
}

export const eleShopRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/ele/shop/status/get',
    title: { zh: '饿了么门店实时状态', en: 'Ele.me store live status' },
    can: 'eleShopInfo_view',
    tx: false,
    input,
    handle: (call) => statusOf(call, call.input.id),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/ele/businesscategories',
    title: { zh: '饿了么经营类目', en: 'Ele.me business categories' },
    can: ['eleShopInfo_view', 'eleShopInfo_add', 'eleShopInfo_edit'],
    tx: false,
    input: { categoryId: f.text({ label: { zh: '上级类目', en: 'Parent category' }, max: 40 }) },
    handle: (call) => categoriesOf(call, call.input.categoryId ?? ''),
  }),
  defineRoute({
    method: 'GET',
    path: `${eleShopInfo.path}/sync_status`,
    title: { zh: '饿了么同步进度', en: 'Ele.me sync progress' },
    can: 'eleShopInfo_view',
    tx: false,
    input,
    handle: async (call) => {
      const { id, tenantId } = await seenShop(call, call.input.id)
      const row = await call.services.unit({ tenantId }, (db) => findEleComparison(db, id))
      const { state = 0, step, total = 0, done = 0, different = 0, unknown = 0, message } = row ?? {}
      const times = { startedAt: row?.beginTime ?? null, finishedAt: row?.finishTime ?? null }
      return { state, step: step ?? null, total, done, different, unknown, message: message ?? null, ...times }
    },
  }),
]
