import type { RowOf } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import './refusals.ts'
import { videoAccount } from './video-account.resource.ts'

/** Account at a video platform, decrypted. */
export type VideoAccount = {
  tenantId: string
  id: string
  /** Changes with the address and the credentials. Sessions and tokens are kept by it. */
  mark: string
  base: string
  mediaBase: string
  rtspBase: string
  username: string
  password: string
  apiKey: string
  generation: 'auto' | 'g1' | 'g2'
  mayBeInside: boolean
}

const withoutSlash = (address: string | null) => (address ?? '').replace(/\/$/, '')

export function decryptVideoAccount(services: Services, row: RowOf<typeof videoAccount>): VideoAccount {
  const open = (sealed: string | null) => (sealed ? secretCipherOf(services).open(sealed) : '')
  return {
    tenantId: row.tenantId,
    id: row.id,
    mark: [row.tenantId, row.id, row.endpoint, row.username, row.secretKey, row.apiKey].join('/'),
    base: withoutSlash(row.endpoint),
    mediaBase: withoutSlash(row.mediaBase),
    rtspBase: withoutSlash(row.rtspBase),
    username: row.username ?? '',
    password: open(row.secretKey),
    apiKey: open(row.apiKey),
    generation: row.generation as VideoAccount['generation'],
    mayBeInside: row.mayBeInside !== false,
  }
}

/** Returns the account of a camera; refuses when it is missing or disabled. */
export async function requireVideoAccount(db: Db, services: Services, id: string | null): Promise<VideoAccount> {
  const row = id ? await db.get(videoAccount, id) : undefined
  if (!row || row.enabled === false) throw new Refused('video_account_missing')
  return decryptVideoAccount(services, row)
}

/** Returns the host that identifies a platform for all tenants. */
export const videoPlatformHost = ({ base }: Pick<VideoAccount, 'base'>): string => new URL(base).host.slice(0, 100)
