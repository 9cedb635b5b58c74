import { readStoredFile, findTenantFileByLink } from '#domains/platform/files/api.ts'
import {
  waitForPlatformRateLimit,
  type PlatformAccount,
  type PlatformRow,
} from '#domains/sales/delivery-platforms/api.ts'
import type { Services } from '#kit/server/services.ts'
import { callEle } from './ele.client.ts'
import type { EleCommand, EleCommands, EleShopRef } from './ele-wire.ts'

type AskAs = <C extends EleCommand>(cmd: C, body: EleCommands[C][0]) => Promise<EleCommands[C][1]>
type Picture = { url: string; water_url: string }

/** One of our shops there, with what it is spoken for with. */
export type EleShopClient = {
  ask: AskAs
  /** How the platform is told which shop is meant: by its own number, or by ours while that is not known. */
  there: EleShopRef
  /** Hands over a picture of ours; answers what it is there. */
  upload: (link: string) => Promise<Picture>
}

export const toEleShopRef = ({ id, platformShopId }: { id: string; platformShopId?: unknown }): EleShopRef =>
  typeof platformShopId === 'string' && platformShopId ? { baidu_shop_id: platformShopId } : { shop_id: id }

/** The platform's commands for one account, no more of them in a second than it takes. */
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
