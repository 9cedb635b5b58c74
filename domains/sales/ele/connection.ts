import { bytesOf, fileOfLink } from '#domains/platform/files/api.ts'
import { turnOf, type Account, type Row } from '#domains/sales/delivery-platforms/api.ts'
import type { Services } from '#kit/server/services.ts'
import { callEle } from './ele.client.ts'
import type { EleCommand, EleCommands, ShopThere } from './ele-wire.ts'

type AskAs = <C extends EleCommand>(cmd: C, body: EleCommands[C][0]) => Promise<EleCommands[C][1]>
type Picture = { url: string; water_url: string }

/** One of our shops there, with what it is spoken for with. */
export type EleShop = {
  ask: AskAs
  /** How the platform is told which shop is meant: by its own number, or by ours while that is not known. */
  there: ShopThere
  /** Hands over a picture of ours; answers what it is there. */
  upload: (link: string) => Promise<Picture>
}

export const thereOf = ({ id, platformShopId }: { id: string; platformShopId?: unknown }): ShopThere =>
  typeof platformShopId === 'string' && platformShopId ? { baidu_shop_id: platformShopId } : { shop_id: id }

/** The platform's commands for one account, no more of them in a second than it takes. */
export const callsOf =
  (services: Services, account: Account): AskAs =>
  async (cmd, body) => {
    await turnOf(services, 'ele', account)
    return callEle(services, account, cmd, body)
  }

export function connectEle(services: Services, account: Account, shop: Row): EleShop {
  const ask = callsOf(services, account)
  return {
    ask,
    there: thereOf(shop),
    upload: async (link) => {
      const file = await fileOfLink(services, account.tenantId, link)
      const bytes = file && (await bytesOf(services, file))
      return ask('picture.upload', bytes ? { data: bytes.toString('base64') } : { url: link })
    },
  }
}
