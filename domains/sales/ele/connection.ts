import { readStoredFile, findTenantFileByLink } from '#domains/platform/files/api.ts'
import {
  waitForPlatformRateLimit,
  type PlatformAccount,
  type PlatformRow,
} from '#domains/sales/delivery-platforms/api.ts'
import type { Services } from '#kit/server/module/services.ts'
import { callEle } from './ele.client.ts'
import type { EleCommand, EleCommands, EleShopRef } from './ele-wire.ts'

type AskAs = <C extends EleCommand>(cmd: C, body: EleCommands[C][0]) => Promise<EleCommands[C][1]>
type Picture = { url: string; water_url: string }

/** One of our shops at Ele, with the calls made for it. */
export type EleShopClient = {
  ask: AskAs
  /** The shop in a call: by the platform's number, or by ours while that is unknown. */
  there: EleShopRef
  /** Uploads one of our pictures. Returns its addresses at the platform. */
  upload: (link: string) => Promise<Picture>
}

export const toEleShopRef = ({ id, platformShopId }: { id: string; platformShopId?: unknown }): EleShopRef =>
  typeof platformShopId === 'string' && platformShopId ? { baidu_shop_id: platformShopId } : { shop_id: id }

/** Makes the function that calls the platform for one account, within its calls per second. */
export const createEleCaller =
  (services: Services, account: PlatformAccount): AskAs =>
  async (cmd, body) => {
    await waitForPlatformRateLimit(services, 'ele', account)
    return callEle(services, account, cmd, body)
  }

export function createEleShopClient(services: Services, account: PlatformAccount, shop: PlatformRow): EleShopClient {
  const ask = createEleCaller(services, account)
  return {
    ask,
    there: toEleShopRef(shop),
    upload: async (link) => {
      const file = await findTenantFileByLink(services, account.tenantId, link)
      const bytes = file && (await readStoredFile(services, file))
      return ask('picture.upload', bytes ? { data: bytes.toString('base64') } : { url: link })
    },
  }
}
