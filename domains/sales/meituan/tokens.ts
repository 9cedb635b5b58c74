import { setTimeout as pause } from 'node:timers/promises'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { VendorError } from '#domains/platform/external-apis/api.ts'
import type { PlatformRow } from '#domains/sales/delivery-platforms/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import { createMeituanError, MEITUAN_TOKEN_EXPIRED_CODE } from './answers.ts'
import type { MeituanApi, MeituanShopTokenSource } from './client.ts'
import { meituanTokenInfo } from './meituan-running.resource.ts'

const VALID = 1
const OVER = 2
const WITHDRAWN = 0
const RENEW_S = 15
const LOOK_MS = 300

type Given = { access_token: string; refresh_token: string; expires_in: number; re_expires_in: number }

const rowOf = async (db: Db, platformShopId: string) =>
  (await db.find(meituanTokenInfo, sql`r.meituan_shop_id = ${platformShopId}`, sql`limit 1`))[0]

/** Columns of a new token. Tokens are stored encrypted, as they give access to the shop. */
function tokenColumns(services: Services, given: Given) {
  const { seal } = secretCipherOf(services)
  const at = (seconds: number) => formatShanghaiTime(new Date(services.now().getTime() + Number(seconds) * 1_000))
  return {
    accessToken: seal(given.access_token),
    refreshToken: seal(given.refresh_token),
    expireTime: at(given.expires_in),
    refreshExpireTime: at(given.re_expires_in),
    status: VALID,
    lastError: null,
  }
}

type Of = { tenantId: string; shop: PlatformRow; code: string }

/**
 * Makes the source of a shop's token. Only one server requests or renews it at a time, because a new token invalidates
 * the old one.
 */
export function createMeituanTokenSource(services: Services, calls: MeituanApi, of: Of): MeituanShopTokenSource {
  const { tenantId, shop, code } = of
  const kept = () => services.unit({ tenantId }, (db) => rowOf(db, shop.id))
  const opened = (sealed: string | null | undefined) => (sealed ? secretCipherOf(services).open(sealed) : undefined)
  return {
    read: async () => opened((await kept())?.accessToken),
    renew: async () => {
      const was = await kept()
      const key = tenantSharedKey(tenantId, 'meituan token', shop.id)
      if (!(await services.shared.claim(key, true, RENEW_S)))
        return await renewedByOther(kept, was?.accessToken ?? null, opened)
      try {
        const given = await givenAnew(calls, code, opened(was?.refreshToken))
        await services.unit({ tenantId }, (db) => keepToken(db, services, of, given))
        return given.access_token
      } catch (error) {
        const lastError = error instanceof Error ? error.message.slice(0, 500) : ''
        if (was && error instanceof VendorError && !error.isRetryable)
          await services.unit({ tenantId }, (db) => db.update(meituanTokenInfo, was.id, { status: OVER, lastError }))
        throw error
      } finally {
        await services.shared.forget(key)
      }
    },
  }
}

/** Renews a token, or requests a new one when there is none that can be renewed. */
async function givenAnew(calls: MeituanApi, code: string, refresh: string | undefined): Promise<Given> {
  try {
    if (refresh) return (await calls.renewToken(refresh)).data as Given
  } catch (error) {
    if (!(error instanceof VendorError) || !error.isUndone) throw error
  }
  return (await calls.authorise(code)).data as Given
}

async function keepToken(db: Db, services: Services, { shop, code }: Of, given: Given): Promise<void> {
  const was = await rowOf(db, shop.id)
  const columns = tokenColumns(services, given)
  const of = { meituanShopId: shop.id, shopId: shop.shopId as string, appPoiCode: code }
  const row = was
    ? await db.update(meituanTokenInfo, was.id, columns)
    : await db.insert(meituanTokenInfo, { ...columns, ...of })
  publishRowsChanged({ db }, meituanTokenInfo, [row])
}

/** Records that a shop was bound to or unbound from the application; an unbound shop's token counts as withdrawn. */
export async function recordMeituanShopBinding(db: Db, shop: PlatformRow, isBound: boolean): Promise<void> {
  const row = await rowOf(db, shop.id)
  if (!row) return
  const patch = isBound ? { lastError: null } : { status: WITHDRAWN, lastError: '门店已在平台解绑' }
  publishRowsChanged({ db }, meituanTokenInfo, [await db.update(meituanTokenInfo, row.id, patch)])
}

async function renewedByOther(
  kept: () => Promise<{ accessToken: string | null } | undefined>,
  was: string | null,
  opened: (sealed: string | null | undefined) => string | undefined,
): Promise<string> {
  for (let waited = 0; waited < RENEW_S * 1_000; waited += LOOK_MS) {
    await pause(LOOK_MS)
    const now = await kept()
    if (now?.accessToken !== was) return opened(now?.accessToken) ?? ''
  }
  throw createMeituanError(MEITUAN_TOKEN_EXPIRED_CODE, '门店授权正在更新')
}
