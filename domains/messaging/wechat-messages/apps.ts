import { secretCipherOf } from '#domains/platform/files/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import type { WECHAT_APP_KIND, wechatApp } from './wechat-app.resource.ts'

/** A WeChat app with its secret decrypted, as the client needs it. */
export type WechatAppCredentials = {
  tenantId: string
  id: string
  kind: keyof typeof WECHAT_APP_KIND
  appid: string
  secret: string
  programState: string
  base: string
  mayBeInside: boolean
}

const OWN = 'https://api.weixin.qq.com'

export const decryptWechatApp = (services: Services, row: RowOf<typeof wechatApp>): WechatAppCredentials => ({
  tenantId: row.tenantId,
  id: row.id,
  kind: row.kind as WechatAppCredentials['kind'],
  appid: row.appid,
  secret: secretCipherOf(services).open(row.secretKey),
  programState: row.programState ?? 'formal',
  base: (row.endpoint || OWN).replace(/\/$/, ''),
  mayBeInside: row.mayBeInside !== false,
})
