import { secretCipherOf } from '#domains/platform/files/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { deleteWechatAccessToken } from './tokens.ts'
import { WECHAT_APP_KIND, wechatApp } from './wechat-app.resource.ts'
import { WECHAT_MESSAGE_STATE, wechatMessage } from './wechat-message.resource.ts'

const DAY_MS = 86_400_000
const PAGE = 'pages/event/index'
export const DEMO_WECHAT_TEMPLATE = {
  templateNo: 'oTe3Yk0Lw5pVb2Qm8Xr1Zc6Nd9Sf4Hg7Ja0KuBvEiPs',
  target: PAGE,
  contentField: 'thing2',
  shopField: 'thing1',
  timeField: 'time3',
  kindField: 'phrase4',
}

/**
 * Seeds the mini program for shop bosses, disabled until `connectStoryWechatApp`, and an old test message to `openid`.
 * Returns its row.
 */
export async function seedWechatApp(db: Db, services: Services, { now, openid }: { now: Date; openid: string }) {
  const app = await db.insert(wechatApp, {
    name: '店主助手小程序',
    kind: WECHAT_APP_KIND.mini,
    appid: `wx6f1c${db.tenantId}0d2e4b`,
    secretKey: secretCipherOf(services).seal('nobody knows it'),
    programState: 'formal',
    enabled: false,
    remark: '订阅消息：门店事件提醒',
  })
  const at = new Date(now.getTime() - 12 * DAY_MS)
  const { templateNo, target } = DEMO_WECHAT_TEMPLATE
  const values = { thing1: '测试门店', thing2: '这是一条测试通知', time3: '2026年11月1日 10:00', phrase4: '测试' }
  await db.insert(wechatMessage, {
    wechatAppId: app.id,
    openid,
    templateNo,
    target,
    content: JSON.stringify(values),
    state: WECHAT_MESSAGE_STATE.sent,
    messageNo: '2683012345',
    answerCode: '0',
    attempts: 1,
    sentTime: formatShanghaiTime(at),
  })
  return app.id
}

/**
 * Points the demo app at the WeChat simulator of this start and enables it. Returns its AppID, or undefined without
 * such an app.
 */
export async function connectDemoWechatApp(
  db: Db,
  services: Services,
  { endpoint, secret }: { endpoint: string; secret: string },
): Promise<string | undefined> {
  const app = await db.one<{ id: string; appid: string }>(sql`update wechat_app set endpoint = ${endpoint},
      secret_key = ${secretCipherOf(services).seal(secret)}, may_be_inside = true, enabled = true
    where tenant_id = ${db.tenantId} and is_deleted = 0 and remark = '订阅消息：门店事件提醒' returning id, appid`)
  if (!app) return undefined
  await deleteWechatAccessToken(db, app.id)
  return app.appid
}
