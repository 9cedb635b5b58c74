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
import { objectSchema, enumSchema } from '#kit/resource/response-schema.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { refreshMeituanShopStatus } from './audits.ts'
import { createMeituanShopClient } from './connection.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'
import { meituanDeliveryPlatform } from './platform.ts'
import { meituanTextToSign, isMeituanSignatureValid } from './sign.ts'
import { recordMeituanShopBinding } from './tokens.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

const PATH = '/api/meituan/callback'
/** Value of `op_type` when a shop was unbound from the application. */
const UNBOUND = '2'
/** Seconds after which a message is refused as too old. */
const STALE_S = 6 * 3_600

type Params = Record<string, string>
const paramsOf = (query: Params, body: Buffer | undefined): Params => ({
  ...query,
  ...Object.fromEntries(new URLSearchParams(body?.toString('utf8') ?? '')),
})

/** Decodes the parameters once more, since some messages are encoded twice. */
function decoded(params: Params): Params {
  try {
    return Object.fromEntries(Object.entries(params).map(([key, value]) => [key, decodeURIComponent(value)]))
  } catch {
    return params
  }
}

/**
 * Returns the accounts with this application number. Several tenants may have it; the signature tells which one is
 * meant.
 */
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
      if (isMeituanSignatureValid(`${base}/${event}`, params, account.secret)) return { account, params }
  }
  return undefined
}

/** Receives the platform's messages, one path per event, and stores each before acknowledging it. */
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
    // The platform's console tests the address without parameters.
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

/** Returns our row of the shop that a message names. */
async function shopOf(services: Services, tenantId: string, code: string): Promise<PlatformRow | undefined> {
  const [shop] = await services.unit({ tenantId }, (db) =>
    db.find(meituanShopInfo, sql`coalesce(r.app_poi_code, r.shop_id::text) = ${code}`),
  )
  return shop as PlatformRow | undefined
}

/** Reads the shop's code from the message of a binding, where it is inside `poi_info`. */
function codeIn(poiInfo: string | undefined): string {
  try {
    const [poi] = [parseUntrustedJson(poiInfo ?? '{}')].flat() as { app_poi_code?: unknown }[]
    return typeof poi?.app_poi_code === 'string' ? poi.app_poi_code : ''
  } catch {
    return ''
  }
}

/** Handles a message. Messages come late, twice and out of order, so the present state of the order or shop is read. */
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
