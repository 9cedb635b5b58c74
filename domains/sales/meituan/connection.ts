import { bytesOf, fileOfLink } from '#domains/platform/files/api.ts'
import { turnOf, type Account, type Row } from '#domains/sales/delivery-platforms/api.ts'
import type { Services } from '#kit/server/services.ts'
import { MEITUAN_URL, meituanOf, type Meituan, type MeituanApp, type ShopToken } from './client.ts'
import { tokenOf } from './tokens.ts'

/** One of our shops there, with what it is spoken for with. */
export type MeituanShop = {
  calls: Meituan
  shop: Row
  /** What the platform calls the shop: a code of ours. */
  code: string
  /** Hands over a picture of ours; answers what it is there. */
  upload: (link: string) => Promise<string>
  uploadAll: (links: unknown) => Promise<string>
}

export const codeOfShop = (shop: Row): string => String(shop.appPoiCode ?? shop.shopId)

const appOf = (services: Services, account: Account): MeituanApp => {
  const { tenantId, appNo, secret, baseUrl, mayBeInside } = account
  const turn = () => turnOf(services, 'meituan', account)
  return { tenantId, appNo, secret, baseUrl: baseUrl || MEITUAN_URL, mayBeInside, turn }
}

/** A shop's token as it is kept, and how it is had anew. */
export function renewingOf(services: Services, account: Account, shop: Row): ShopToken {
  const of = { tenantId: account.tenantId, shop, code: codeOfShop(shop) }
  return tokenOf(services, meituanOf(services, appOf(services, account)), of)
}

export const callsOf = (services: Services, account: Account, shop?: Row): Meituan =>
  meituanOf(services, appOf(services, account), shop && renewingOf(services, account, shop))

export function connectMeituan(services: Services, account: Account, shop: Row): MeituanShop {
  const calls = callsOf(services, account, shop)
  const code = codeOfShop(shop)
  const upload = async (link: string) => {
    const file = await fileOfLink(services, account.tenantId, link)
    const bytes = file && (await bytesOf(services, file))
    return bytes ? String((await calls.uploadPicture(code, file.originalName, bytes)).data) : link
  }
  const uploadAll = async (links: unknown) => {
    const out: string[] = []
    for (const link of Array.isArray(links) ? (links as string[]) : []) out.push(await upload(link))
    return out.join(',')
  }
  return { calls, shop, code, upload, uploadAll }
}
