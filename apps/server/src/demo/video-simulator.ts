import { randomBytes } from 'node:crypto'
import { importVideoDemo } from '#domains/devices/video/api.ts'
import type { Services } from '#kit/server/module/services.ts'
import { startWvp, type WvpSimulator } from '#simulators/wvp/wvp.simulator.ts'
import type { CameraDraft } from '#simulators/wvp/world.ts'
import { demoTenants } from './cast.ts'

/** How far ahead the clock of the camera at the till is. The first camera of a shop can be turned (`hasPtz`). */
const CLOCK_SKEW_MS = 47_000

/** Starts a simulated video platform for each tenant of the demo data that has cameras. */
export async function startVideoSimulator(services: Services): Promise<WvpSimulator[]> {
  const { findDemoCameras: findCameras, seedVideoAccount: connectVideo } = await importVideoDemo()
  const started: WvpSimulator[] = []
  for (const { tenantId } of demoTenants) {
    const cameras = await services.unit({ tenantId }, (db) => findCameras(db))
    if (!cameras.length) continue
    const inShop = new Map<string, number>()
    const drafts = cameras.map(({ gbDeviceId, gbChannelId, name, shop, isOnline, position }): CameraDraft => {
      const n = (inShop.get(shop) ?? 0) + 1
      inShop.set(shop, n)
      const title = `${shop.replace(/[^A-Z0-9]/gi, '').slice(-5)} C${n}`
      const isAtTill = position === '收银台'
      return {
        deviceId: gbDeviceId,
        channelId: gbChannelId,
        name,
        title,
        isOnline,
        hasPtz: n === 1,
        clockMs: isAtTill ? CLOCK_SKEW_MS : 0,
      }
    })
    const password = randomBytes(12).toString('hex')
    const now = () => services.now().getTime()
    const wvp = await startWvp({ generation: started.length ? 'g2' : 'g1', password, cameras: drafts, now })
    await services.unit({ tenantId }, (db) =>
      connectVideo(db, services, { endpoint: wvp.url, rtspBase: wvp.rtspUrl, password }),
    )
    started.push(wvp)
  }
  return started
}
