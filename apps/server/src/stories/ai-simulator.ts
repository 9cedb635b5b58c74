import { randomBytes } from 'node:crypto'
import { importAiStory, cameraPictureSlot } from '#domains/insight/ai/api.ts'
import type { Services } from '#kit/server/services.ts'
import { cameraPictureOf } from '#simulators/dify/camera-picture.ts'
import { startDify, type DifySimulator } from '#simulators/dify/dify.simulator.ts'
import { storyTenants } from './cast.ts'

const APPS = [
  { workflow: 'shelf-check', name: '货架识别', kind: 'shelf' },
  { workflow: 'night-watch', name: '夜间巡检', kind: 'camera' },
] as const
/** A step takes so long that one sees it. */
const NODE_MS = 900

/** Dify around the demo story: an application for each kind of task of each tenant, with keys of this start. */
export async function startStoryDifySimulator(services: Services): Promise<DifySimulator> {
  const dify = await startDify({ nodeMs: NODE_MS })
  const { seedDifyApps: connectDify } = await importAiStory()
  // What no platform shows, the story makes up.
  const taken = services.slots.find(cameraPictureSlot)
  services.slots.fill(
    cameraPictureSlot,
    async (ask) =>
      (await taken?.(ask)) ?? cameraPictureOf(`${ask.deviceId}/${Math.floor(services.now().getTime() / 600_000)}`),
  )
  for (const { tenantId } of storyTenants) {
    const apps = APPS.map((one) => ({ ...one, key: `app-${randomBytes(12).toString('hex')}` }))
    for (const { key, name, kind } of apps) dify.apps.set(key, { name, kind })
    await services.unit({ tenantId }, (db) => connectDify(db, services, { endpoint: dify.url, apps }))
  }
  return dify
}
