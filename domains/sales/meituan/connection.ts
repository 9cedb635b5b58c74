import { readStoredFile, findTenantFileByLink } from '#domains/platform/files/api.ts'
import {
  waitForPlatformRateLimit,
  type PlatformAccount,
  type PlatformRow,
} from '#domains/sales/delivery-platforms/api.ts'
import type { Services } from '#kit/server/services.ts'
import {
  MEITUAN_URL,
  createMeituanApi,
  type MeituanApi,
  type MeituanApp,
  type MeituanShopTokenSource,
} from './client.ts'
import { createMeituanTokenSource } from './tokens.ts'

/** One of our shops there, with what it is spoken for with. */
export type MeituanShopClient = {
  calls: MeituanApi
  shop: PlatformRow
  /** What the platform calls the shop: a code of ours. */
  code: string
  /** Hands over a picture of ours; answers what it is there. */
  upload: (link: string) => Promise<string>
  uploadAll: (links: unknown) => Promise<string>
}

export const meituanShopCodeOf = (shop: PlatformRow): string => String(shop.appPoiCode ?? shop.shopId)

const appOf = (services: Services, account: PlatformAccount): MeituanApp => {
  const { tenantId, appNo, secret, baseUrl, mayBeInside } = account
  const turn = () => waitForPlatformRateLimit(services, 'meituan', account)
  return { tenantId, appNo, secret, baseUrl: baseUrl || MEITUAN_URL, mayBeInside, turn }
}

/** A shop's token as it is kept, and how it is had anew. */
export function createShopTokenSource(
  services: Services,
  account: PlatformAccount,
  shop: PlatformRow,
): MeituanShopTokenSource {
  const of = { tenantId: account.tenantId, shop, code: meituanShopCodeOf(shop) }
  return createMeituanTokenSource(services, createMeituanApi(services, appOf(services, account)), of)
}

export const createMeituanApiForAccount = (
  services: Services,
  account: PlatformAccount,
  shop?: PlatformRow,
): MeituanApi =>
  createMeituanApi(services, appOf(services, account), shop && createShopTokenSource(services, account, shop))

export function createMeituanShopClient(
  services: Services,
  account: PlatformAccount,
  shop: PlatformRow,
): MeituanShopClient {
  const calls = createMeituanApiForAccount(services, account, shop)
  const code = meituanShopCodeOf(shop)
  const upload = async (link: string) => {
    const file = await findTenantFileByLink(services, account.tenantId, link)
    const bytes = file && (await readStoredFile(services, file))
    return bytes ? String((await calls.uploadPicture(code, file.originalName, bytes)).data) : link
  }
  const uploadAll = async (links: unknown) => {
    const out: string[] = []
    for (const link of Array.isArray(links) ? (links as string[]) : []) out.push(await upload(link))
    return out.join(',')
  }
  return { calls, shop, code, upload, uploadAll }
}
