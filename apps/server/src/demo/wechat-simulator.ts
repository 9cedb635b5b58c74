import { randomBytes } from 'node:crypto'
import { importShopEventsDemo } from '#domains/shops/shop-events/api.ts'
import { importWechatMessagesDemo } from '#domains/messaging/wechat-messages/api.ts'
import type { Services } from '#kit/server/module/services.ts'
import { startWechat, type WechatSimulator } from '#simulators/wechat/wechat.simulator.ts'
import { demoTenants } from './cast.ts'

/** Messages each user has allowed per template. */
const ALLOWED = 500
const PAGES = ['pages/event/index']

/** Starts a WeChat simulator for the demo data: the bosses' mini program, its users and message templates. */
export async function startWechatSimulator(services: Services): Promise<WechatSimulator> {
  const wechat = await startWechat({ now: () => services.now().getTime() })
  const [{ connectDemoWechatApp: connectWechat }, { findWechatRecipients: standingAtWechat }] = await Promise.all([
    importWechatMessagesDemo(),
    importShopEventsDemo(),
  ])
  for (const { tenantId } of demoTenants) {
    const secret = randomBytes(16).toString('hex')
    const recipients = await services.unit({ tenantId }, async (db) => ({
      appid: await connectWechat(db, services, { endpoint: wechat.url, secret }),
      ...(await standingAtWechat(db)),
    }))
    if (!recipients.appid) continue
    const allowed = () => new Map([...recipients.templates.keys()].map((no) => [no, ALLOWED]))
    const people = new Map(recipients.openids.map((openid) => [openid, allowed()]))
    wechat.know(recipients.appid, {
      kind: 'mini',
      secret,
      people,
      templates: recipients.templates,
      pages: new Set(PAGES),
    })
  }
  return wechat
}
