import { secretsOf } from '#domains/platform/files/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { Services } from '#kit/server/services.ts'
import type { KIND, wechatApp } from './wechat-app.resource.ts'

/** An app as the protocol needs it, its secret open. */
export type WechatApp = {
  tenantId: string
  id: string
  kind: keyof typeof KIND
  appid: string
  secret: string
  programState: string
  base: string
  mayBeInside: boolean
}

const OWN = 'https://api.weixin.qq.com'

export const openedApp = (services: Services, row: RowOf<typeof wechatApp>): WechatApp => ({
  tenantId: row.tenantId,
  id: row.id,
  kind: row.kind as WechatApp['kind'],
  appid: row.appid,
  secret: secretsOf(services).open(row.secretKey),
  programState: row.programState ?? 'formal',
  base: (row.endpoint || OWN).replace(/\/$/, ''),
  mayBeInside: row.mayBeInside !== false,
})
