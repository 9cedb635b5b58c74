/**
 * Test tenants, the first of which (`north`) has a simulated video platform with the given cameras in its first shop.
 */
import { sql } from '#kit/server/database/db.ts'
import { createTestTenants } from './test-tenants.ts'
import { startWvp } from '#simulators/wvp/wvp.simulator.ts'
import type { CameraDraft, WorldDraft } from '#simulators/wvp/world.ts'
import { syncVideoAccount } from '#domains/devices/video/api.ts'

export const codeOf = (n: number) => ({
  deviceId: `340200000013200${String(n).padStart(5, '0')}`,
  channelId: `340200000013100${String(n).padStart(5, '0')}`,
})

const PASSWORD = 'of a test'

export async function createVideoTestTenants(
  cameras: readonly Partial<CameraDraft>[],
  { listen, ...draft }: WorldDraft & { listen?: boolean } = {},
) {
  const { now } = draft
  const made = cameras.map((one, n) => ({ ...codeOf(n + 1), name: `摄像头${n + 1}`, title: `C${n + 1}`, ...one }))
  const [tenants, wvp] = await Promise.all([
    createTestTenants({ now: now && (() => new Date(now())), listen }),
    startWvp({ password: PASSWORD, cameras: made, playTimeoutMs: 1_000, ...draft }),
  ])
  const { services, north, call, must } = tenants
  const ids = await services.unit({ tenantId: north.tenantId }, async (db) => {
    for (const one of made)
      await db.insert(services.registry.resource('deviceInfo'), {
        name: one.name,
        type: 'camera',
        sn: `CAM-${one.channelId}`,
        shopId: north.shops[0],
        gbDeviceId: one.deviceId,
        gbChannelId: one.channelId,
        online: false,
      })
    const account = await db.insert(services.registry.resource('videoAccount'), {
      name: '平台',
      endpoint: wvp.url,
      rtspBase: wvp.rtspUrl,
      username: 'admin',
      secretKey: PASSWORD,
      ...(draft.apiKey && { apiKey: draft.apiKey }),
      generation: 'auto',
      mayBeInside: true,
      enabled: true,
    })
    return { account: account.id }
  })

  await syncVideoAccount(services, north.tenantId, ids.account)
  const rows = await services.unit({ tenantId: north.tenantId }, (db) =>
    db.query<{ id: string; gbChannelId: string }>(sql`select id::text, gb_channel_id from camera
      where tenant_id = ${north.tenantId} order by gb_channel_id`),
  )
  const ask = (path: string, query: Record<string, unknown> = {}, who = north.admin) =>
    call(who, 'GET', `/api/shop/camera/${path}`, { query })
  const say = (path: string, body: object, who = north.admin) => call(who, 'POST', `/api/shop/camera/${path}`, { body })

  return {
    ...tenants,
    wvp,
    accountId: ids.account,
    cameras: rows.map(({ id }) => id),
    codes: made.map(({ deviceId, channelId }) => ({ deviceId, channelId })),
    ask,
    say,
    must,
    /** Switches the platform to a generation and loads its channels anew. */
    inGeneration: async (generation: 'g1' | 'g2') => {
      wvp.world.generation = generation
      await services.unit({ tenantId: north.tenantId }, (db) =>
        db.run(sql`update video_account set generation = ${generation} where tenant_id = ${db.tenantId}`),
      )
      await syncVideoAccount(services, north.tenantId, ids.account)
    },
    close: async () => {
      await tenants.close()
      await wvp.close()
    },
  }
}

export type VideoTestTenants = Awaited<ReturnType<typeof createVideoTestTenants>>
