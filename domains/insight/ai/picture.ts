import { readStoredFile, findTenantFileByLink, storeFile } from '#domains/platform/files/api.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSlot } from '#kit/server/base/slots.ts'

/** Largest picture Dify accepts, in bytes. */
const BYTES_MAX = 10 * 1024 * 1024
const PICTURES = ['jpg', 'jpeg', 'png', 'webp', 'gif']

export type TakeCameraPicture = (ask: {
  services: Services
  tenantId: string
  deviceId: string
}) => Promise<Buffer | undefined>

/** Slot for the function that takes a picture with a camera; it returns undefined when the camera gives none. */
export const cameraPictureSlot = defineSlot<TakeCameraPicture>('aiCameraPicture')

type Picture = { link: string; bytes: Buffer; extension: string }

/** Reads a picture stored here that belongs to the tenant; undefined for other links, formats or too large files. */
async function keptPicture(services: Services, tenantId: string, link: string): Promise<Picture | undefined> {
  const file = await findTenantFileByLink(services, tenantId, link)
  if (!file || !PICTURES.includes(file.extension) || file.size > BYTES_MAX) return undefined
  const bytes = await readStoredFile(services, file)
  return bytes && { link, bytes, extension: file.extension }
}

/** Takes and stores a picture of the camera for a run; without one uses the newest known picture of the target. */
export async function obtainAiRunPicture(
  services: Services,
  tenantId: string,
  { cameraId, known }: { cameraId?: string; known: string | null },
): Promise<Picture | undefined> {
  const taken = cameraId
    ? await services.slots.find(cameraPictureSlot)?.({ services, tenantId, deviceId: cameraId })
    : null
  if (taken) {
    const kept = await storeFile(services, {
      tenantId,
      bytes: taken,
      name: 'camera.jpg',
      allowed: PICTURES,
      maxBytes: BYTES_MAX,
    })
    return keptPicture(services, tenantId, kept.link)
  }
  return known ? keptPicture(services, tenantId, known) : undefined
}
