import { createPrivateKey, type KeyObject } from 'node:crypto'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { payAccount } from './pay-account.resource.ts'

type AccountRow = RowOf<typeof payAccount>

/** A WeChat Pay account with decrypted keys. */
export type WechatAccount = {
  id: string
  /** No new requests are made with an account that is disabled. */
  isInUse: boolean
  tenantId: string
  /** Cache key of the account: changes when its keys change. */
  mark: string
  mchid: string
  appid: string
  serialNo: string
  privateKey: KeyObject
  apiv3Key: string
  publicKeyNo: string | null
  publicKeyPem: string | null
  base: string
  mayBeInside: boolean
  notifyUrl: string
}

const OWN = 'https://api.mch.weixin.qq.com'
export const NOTIFY_PATH = '/api/pay/wechat/notify'

const withoutSlash = (address: string) => (address.endsWith('/') ? address.slice(0, -1) : address)

/** Callback URL of an account, with tenant and account in its path and without a query. */
export const notifyUrlOf = ({ config }: Services, row: Pick<AccountRow, 'tenantId' | 'id' | 'notifyBase'>): string =>
  `${withoutSlash(row.notifyBase || config.publicUrl)}${NOTIFY_PATH}/${row.tenantId}-${row.id}`

/** Parses a private key, even if a single-line input has removed its line breaks; throws if it is invalid. */
export function parsePrivateKey(pem: string): KeyObject {
  const der = Buffer.from(pem.replace(/-----[A-Z ]{3,40}-----/g, '').replace(/\s/g, ''), 'base64')
  const type = pem.includes('BEGIN RSA ') ? 'pkcs1' : 'pkcs8'
  return createPrivateKey({ key: der, format: 'der', type })
}

export function decryptWechatAccount(services: Services, row: AccountRow): WechatAccount {
  const { open } = secretCipherOf(services)
  return {
    id: row.id,
    isInUse: row.enabled !== false,
    tenantId: row.tenantId,
    mark: `${row.tenantId}/${row.id}/${row.version}`,
    mchid: row.spMchid,
    appid: row.spAppid,
    serialNo: row.serialNo,
    privateKey: parsePrivateKey(open(row.secretKey)),
    apiv3Key: open(row.apiv3Key),
    publicKeyNo: row.publicKeyNo,
    publicKeyPem: row.publicKeyPem,
    base: withoutSlash(row.endpoint || OWN),
    mayBeInside: row.mayBeInside !== false,
    notifyUrl: notifyUrlOf(services, row),
  }
}

/** Returns the tenant's enabled account; with `id` that account, enabled or not. Undefined if there is none. */
export async function findWechatAccount(services: Services, db: Db, id?: string): Promise<WechatAccount | undefined> {
  const [row] = await db.find(payAccount, id ? sql`r.id = ${id}` : sql`r.enabled`, sql`order by r.id limit 1`)
  return row && decryptWechatAccount(services, row)
}
