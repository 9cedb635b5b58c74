import type { RowOf } from '#kit/resource/index.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { actorOfCaller } from '#kit/server/request/pipeline.ts'
import type { Call } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { requireVideoAccount, type VideoAccount } from './accounts.ts'
import { camera } from './camera.resource.ts'
import { isGbCode, videoPlatformRefusal, type VideoChannel } from './platform.ts'

export type Camera = RowOf<typeof camera>

/** A camera with its channel on the platform and its account there. */
export type CameraAccess = { row: Camera; account: VideoAccount; channel: VideoChannel }

type CameraSelector = { id: string | null } | { gbDeviceId: string; gbChannelId: string }

const channelOf = ({ gbDeviceId, gbChannelId }: Camera): VideoChannel => ({
  gbDeviceId: gbDeviceId!,
  gbChannelId: gbChannelId!,
})

const whereOf = (selector: CameraSelector) =>
  'id' in selector
    ? sql`r.id = ${selector.id}`
    : sql`r.gb_device_id = ${selector.gbDeviceId} and r.gb_channel_id = ${selector.gbChannelId}`

type Asking = Pick<Call, 'caller' | 'services'>

/** Returns the tenant of a camera. Platform administrators see cameras of all tenants, others only their own. */
async function tenantOf({ caller, services }: Asking, selector: CameraSelector): Promise<string> {
  if (!caller.isPlatform) return caller.tenantId
  const found = await services.unit({ crossTenantReason: 'platform administrator: whose camera is this' }, (db) =>
    db.one<{ tenantId: string }>(sql`select r.tenant_id from camera r where ${whereOf(selector)}
      order by r.id limit 1`),
  )
  return found?.tenantId ?? caller.tenantId
}

/** Runs `work` with a camera in the caller's scope, in a transaction of its tenant. Refuses a channel without a row. */
export async function withCamera<T>(
  call: Asking,
  selector: CameraSelector,
  work: (found: CameraAccess & { db: Db; tenantId: string }) => Promise<T>,
): Promise<T> {
  const { caller, services } = call
  if (!('id' in selector) && !(isGbCode(selector.gbDeviceId) && isGbCode(selector.gbChannelId)))
    throw new Refused('not_found', { label: camera.label })
  const tenantId = await tenantOf(call, selector)
  return services.unit(
    { tenantId },
    async (db) => {
      const [row] = await db.find(camera, sql`${whereOf(selector)}${dataScopeSql(camera, caller)}`)
      if (!row) throw new Refused('not_found', { label: camera.label })
      const account = await requireVideoAccount(db, services, row.accountId)
      return work({ db, tenantId, row, account, channel: channelOf(row) })
    },
    actorOfCaller(caller),
  )
}

/** The same without keeping the transaction open, for calls that then wait for the platform. */
export const requireCameraAccess = (call: Asking, selector: CameraSelector): Promise<CameraAccess> =>
  withCamera(call, selector, async ({ row, account, channel }) => ({ row, account, channel }))

/** Whom a sealed address was made for: their session, the camera, and the permission they need. */
export type SealedFor = { cameraId: string; ofTenant: string; userId: string; sessionId: string; can: string }

/** Returns what to seal into an address, so that it only opens while this caller may do this with this camera. */
export const sealedFor = ({ caller }: Pick<Call, 'caller'>, { row }: CameraAccess, can: string): SealedFor => ({
  cameraId: row.id,
  ofTenant: caller.tenantId,
  userId: caller.userId,
  sessionId: caller.sessionId,
  can,
})

/**
 * Returns the camera of a sealed address. Checks its user again, as the session may have ended, the permission may have
 * been revoked or the camera moved to another shop. Refuses in the same way as for an expired address.
 */
export async function requireStillAllowed(services: Services, sealed: SealedFor): Promise<CameraAccess> {
  const { cameraId, ofTenant, userId, sessionId, can } = sealed
  const caller = await services.access.callerOfSession({ tenantId: ofTenant, sessionId, userId })
  if (!caller || !hasPermission(caller, can)) throw new Refused('ticket_spent')
  return requireCameraAccess({ services, caller }, { id: cameraId })
}

/** Returns a camera without checking a caller, for sealed addresses and jobs that have done so before. */
export const requireCameraById = (services: Services, tenantId: string, id: string): Promise<CameraAccess> =>
  services.unit({ tenantId }, async (db) => {
    const row = await db.get(camera, id)
    if (!row) throw new Refused('not_found', { label: camera.label })
    return { row, account: await requireVideoAccount(db, services, row.accountId), channel: channelOf(row) }
  })

/** Calls the platform for a camera and translates its errors. */
export async function callPlatformForCamera<T>(
  { services }: { services: Services },
  { row, account, channel }: CameraAccess,
  ask: (services: Services, account: VideoAccount, channel: VideoChannel) => Promise<T>,
): Promise<T> {
  try {
    return await ask(services, account, channel)
  } catch (error) {
    throw videoPlatformRefusal(error, row.name)
  }
}
