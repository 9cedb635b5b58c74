import { VendorError } from '#domains/platform/external-apis/api.ts'
import type { TakePicture } from '#domains/insight/ai/api.ts'
import { sql } from '#kit/server/database/db.ts'
import { cameraById } from './camera-of.ts'
import { snapshot } from './platform.ts'

/** What the camera of a device shows now, for those below who look at it; nothing where its platform gives none. */
export const takeSnapshot: TakePicture = async ({ services, tenantId, deviceId }) => {
  const row = await services.unit({ tenantId }, (db) =>
    db.one<{ id: string }>(sql`select id from camera where tenant_id = ${tenantId} and device_id = ${deviceId}
      order by id limit 1`),
  )
  if (!row) return undefined
  const { account, channel } = await cameraById(services, tenantId, row.id)
  try {
    return await snapshot(services, account, channel)
  } catch (error) {
    if (error instanceof VendorError) return undefined
    throw error
  }
}
