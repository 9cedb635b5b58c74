import { createHash } from 'node:crypto'
import { storeWebhookEvent, type WebhookHandler } from '#domains/platform/external-apis/api.ts'
import {
  findPlatformAccount,
  preparePlatformOrderUpdate,
  decryptPlatformAccount,
  type PlatformAccount,
  type PlatformRow,
} from '#domains/sales/delivery-platforms/api.ts'
import { thirdApi } from '#domains/sales/delivery-platforms/index.ts'
import { sql } from '#kit/server/database/db.ts'
import { objectSchema, enumSchema } from '#kit/server/request/answer-shape.ts'
import { Refused } from '#kit/server/refused.ts'
import { defineRoute } from '#kit/server/module.ts'
import type { Services } from '#kit/server/services.ts'
import { refreshMeituanShopStatus } from './audits.ts'
import { createMeituanShopClient } from './connection.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'
import { meituanDeliveryPlatform } from './platform.ts'
import { meituanTextToSign, isSigned } from './sign.ts'
import { recordMeituanShopBinding } from './tokens.ts'
import { parseUntrustedJson } from '#kit/server/outside-json.ts'

const PATH = '/api/meituan/callback'
/** Of what the platform says about who speaks for a shop. */
const UNBOUND = '2'
/** A message that was on its way so long is none of the platform's. */
const STALE_S = 6 * 3_600

type Params = Record<string, string>
const paramsOf = (query: Params, body: Buffer | undefined): Params => ({
  ...query,
  ...Object.fromEntries(new URLSearchParams(body?.toString('utf8') ?? '')),
})

/** Some messages come encoded twice. */
function decoded(params: Params): Params {
  try {
    return Object.fromEntries(Object.entries(params).map(([key, value]) => [key, decodeURIComponent(value)]))
  } catch {
    return params
  }
}

/** Whose application a message is for; only the secret tells it where several tenants have one of that number. */
async function accountsOf(services: Services, appNo: string): Promise<PlatformAccount[]> {
  const found = await services.unit({ crossTenantReason: 'which tenant a delivery platform speaks to' }, (db) =>
    db.find(thirdApi, sql`r.platform = 'meituan' and r.app_key = ${appNo} and r.status = 1 and r.has_secret`),
  )
  return found.map((row) => decryptPlatformAccount(services, row))
}

async function verified(services: Services, event: string, given: Params) {
  const ageS = Math.abs(services.now().getTime() / 1000 - Number(given.timestamp ?? 0))
  if (!(ageS < STALE_S)) return undefined
  for (const account of await accountsOf(services, given.app_id ?? '')) {
    const base = account.callbackUrl || `${services.config.publicUrl}${PATH}`
    for (const params of [given, decoded(given)])
      if (isSigned(`${base}/${event}`, params, account.secret)) return { account, params }
  }
  return undefined
}

/** What the platform says by itself, one address an event; kept before it is acknowledged. */
export const callbackRoute = defineRoute({
  method: 'POST',
  path: `${PATH}/:event`,
  answers: objectSchema({ data: enumSchema('ok') }),
  title: { zh: '美团回调', en: 'Meituan callback' },
  can: { open: 'the platform signs what it says' },
  tx: false,
  rawResponse: true,
  raw: true,
  perMinute: 60_000,
  handle: async ({ query: { event = '', ...query }, bytes, services }) => {
    const given = paramsOf(query, bytes)
    // The console of the platform tries the address with nothing.
    if (!Object.keys(given).length) return { data: 'ok' }
    const found = await verified(services, event, given)
    if (!found) throw new Refused('forbidden')
    const { account, params } = found
    const eventKey = createHash('sha256').update(meituanTextToSign(event, params)).digest('hex')
    const subject = params.order_id || params.app_poi_code
    await services.unit({ tenantId: account.tenantId }, (db) =>
      storeWebhookEvent(db, { system: 'meituan', kind: event, eventKey, subject, body: JSON.stringify(params) }),
    )
    return { data: 'ok' }
  },
})

/** The shop of ours a message names. */
async function shopOf(services: Services, tenantId: string, code: string): Promise<PlatformRow | undefined> {
  const [shop] = await services.unit({ tenantId }, (db) =>
    db.find(meituanShopInfo, sql`coalesce(r.app_poi_code, r.shop_id::text) = ${code}`),
  )
  return shop as PlatformRow | undefined
}

/** A shop that is bound or unbound is named within. */
function codeIn(poiInfo: string | undefined): string {
  try {
    const [poi] = [parseUntrustedJson(poiInfo ?? '{}')].flat() as { app_poi_code?: unknown }[]
    return typeof poi?.app_poi_code === 'string' ? poi.app_poi_code : ''
  } catch {
    return ''
  }
}

/** Whatever is said of an order or a shop, its state is asked for: messages come late, twice and out of order. */
export const handleMeituanEvent: WebhookHandler = async ({ kind, body }, { tenantId, services }) => {
  const params = parseUntrustedJson(body) as Params
  const shop = await shopOf(services, tenantId, params.app_poi_code ?? codeIn(params.poi_info))
  if (!shop) return undefined
  if (kind.startsWith('order') && params.order_id) {
    const cancelReason = kind === 'orderCancelled' ? params.reason : undefined
    return await preparePlatformOrderUpdate(services, meituanDeliveryPlatform, shop, params.order_id, { cancelReason })
  }
  if (!kind.startsWith('shop')) return undefined
  if (kind === 'shopBind') return (db) => recordMeituanShopBinding(db, shop, params.op_type !== UNBOUND)
  const account = await services.unit({ tenantId }, (db) =>
    findPlatformAccount(db, services, meituanDeliveryPlatform.name),
  )
  if (account) await refreshMeituanShopStatus(services, tenantId, createMeituanShopClient(services, account, shop))
  return undefined
}
