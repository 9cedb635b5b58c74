import { readStoredFile, findTenantFileByLink } from '#domains/platform/files/api.ts'
import {
  waitForPlatformRateLimit,
  type PlatformAccount,
  type PlatformRow,
} from '#domains/sales/delivery-platforms/api.ts'
import type { Services } from '#kit/server/module/services.ts'
import {
  MEITUAN_URL,
  createMeituanApi,
  type MeituanApi,
  type MeituanApp,
  type MeituanShopTokenSource,
} from './client.ts'
import { createMeituanTokenSource } from './tokens.ts'

/** One of our shops at Meituan, with the calls made for it. */
export type MeituanShopClient = {
  calls: MeituanApi
  shop: PlatformRow
  /** The shop's code at the platform, which we chose. */
  code: string
  /** Uploads one of our pictures. Returns its name at the platform. */
  upload: (link: string) => Promise<string>
  uploadAll: (links: unknown) => Promise<string>
}

export const meituanShopCodeOf = (shop: PlatformRow): string => String(shop.appPoiCode ?? shop.shopId)

const appOf = (services: Services, account: PlatformAccount): MeituanApp => {
  const { tenantId, appNo, secret, baseUrl, mayBeInside } = account
  const turn = () => waitForPlatformRateLimit(services, 'meituan', account)
  return { tenantId, appNo, secret, baseUrl: baseUrl || MEITUAN_URL, mayBeInside, turn }
}

/** Makes the source of a shop's stored token, which can renew it. */
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
