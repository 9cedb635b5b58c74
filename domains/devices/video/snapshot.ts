import { VendorError } from '#domains/platform/external-apis/api.ts'
import type { TakeCameraPicture } from '#domains/insight/ai/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { requireCameraById } from './camera-of.ts'
import { fetchCameraSnapshot } from './platform.ts'

/** Returns the current picture of a device's camera for other modules; undefined when its platform has none. */
export const takeDeviceSnapshot: TakeCameraPicture = async ({ services, tenantId, deviceId }) => {
  const row = await services.unit({ tenantId }, (db) =>
    db.one<{ id: string }>(sql`select id from camera where tenant_id = ${tenantId} and device_id = ${deviceId}
      order by id limit 1`),
  )
  if (!row) return undefined
  const { account, channel } = await requireCameraById(services, tenantId, row.id)
  try {
    return await fetchCameraSnapshot(services, account, channel)
  } catch (error) {
    if (error instanceof VendorError) return undefined
    throw error
  }
}
