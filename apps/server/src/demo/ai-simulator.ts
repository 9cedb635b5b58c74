import { randomBytes } from 'node:crypto'
import { importAiDemo, cameraPictureSlot } from '#domains/insight/ai/api.ts'
import type { Services } from '#kit/server/module/services.ts'
import { cameraPictureOf } from '#simulators/dify/camera-picture.ts'
import { startDify, type DifySimulator } from '#simulators/dify/dify.simulator.ts'
import { demoTenants } from './cast.ts'

const APPS = [
  { workflow: 'shelf-check', name: '货架识别', kind: 'shelf' },
  { workflow: 'night-watch', name: '夜间巡检', kind: 'camera' },
] as const
/** Duration of a simulated workflow step, long enough to be seen. */
const NODE_MS = 900

/**
 * Starts a Dify simulator for the demo data, with one application per kind of task and tenant, under keys made at this
 * start.
 */
export async function startDemoDifySimulator(services: Services): Promise<DifySimulator> {
  const dify = await startDify({ nodeMs: NODE_MS })
  const { seedDifyApps: connectDify } = await importAiDemo()
  // Cameras that no video platform shows get a made-up picture.
  const taken = services.slots.find(cameraPictureSlot)
  services.slots.fill(
    cameraPictureSlot,
    async (ask) =>
      (await taken?.(ask)) ?? cameraPictureOf(`${ask.deviceId}/${Math.floor(services.now().getTime() / 600_000)}`),
  )
  for (const { tenantId } of demoTenants) {
    const apps = APPS.map((one) => ({ ...one, key: `app-${randomBytes(12).toString('hex')}` }))
    for (const { key, name, kind } of apps) dify.apps.set(key, { name, kind })
    await services.unit({ tenantId }, (db) => connectDify(db, services, { endpoint: dify.url, apps }))
  }
  return dify
}
