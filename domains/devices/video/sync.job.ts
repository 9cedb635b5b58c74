/** Creates and updates cameras from the platforms' channels, every minute. */

import { sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { processEachRow, skippedRowsNote } from '#kit/server/database/each-alone.ts'
import { videoPlatformErrorText } from './trouble.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { decryptVideoAccount, videoPlatformHost, type VideoAccount } from './accounts.ts'
import { camera } from './camera.resource.ts'
import { listChannels, type PlatformVideoChannel } from './platform.ts'
import { videoAccount } from './video-account.resource.ts'

export const videoSyncQueue = defineQueue<{ id: string }>('video.sync', { maxAttempts: 1 })

type StoredCamera = { id: string; gbDeviceId: string; gbChannelId: string }
type Device = StoredCamera & { shopId: string | null; name: string }

const keyOf = ({ gbDeviceId, gbChannelId }: Pick<StoredCamera, 'gbDeviceId' | 'gbChannelId'>) =>
  `${gbDeviceId}/${gbChannelId}`

type Mine = { devices: ReadonlyMap<string, Device>; known: ReadonlyMap<string, unknown> }

/**
 * Returns the channels that belong to this tenant: those it has already, and new ones. If another tenant has signed in
 * to the same platform as well, only new ones registered among this tenant's devices. Accounts that have never signed
 * in do not count, as anybody may enter an address.
 */
async function ownOf(db: Db, platform: string, channels: readonly PlatformVideoChannel[], { devices, known }: Mine) {
  const isShared = await db.acrossTenants('whether another tenant signs in to the same video platform', (all) =>
    all.one(sql`select 1 from video_account where tenant_id <> ${db.tenantId} and is_deleted = 0
      and enabled and cameras is not null
      and split_part(split_part(endpoint, '://', 2), '/', 1) = ${platform} limit 1`),
  )
  const taken = await db.acrossTenants('a channel of a video platform has one owner', (all) =>
    all.query<StoredCamera>(sql`select id, gb_device_id, gb_channel_id from camera where tenant_id <> ${db.tenantId}
      and platform = ${platform}`),
  )
  const others = new Set(taken.map(keyOf))
  return channels.filter(
    (one) => !others.has(keyOf(one)) && (!isShared || known.has(keyOf(one)) || devices.has(keyOf(one))),
  )
}

async function devicesOf(db: Db): Promise<Map<string, Device>> {
  const rows = await db.query<Device>(sql`select id::text, gb_device_id, gb_channel_id, shop_id::text, name
    from device_info where tenant_id = ${db.tenantId} and is_deleted = 0 and gb_device_id is not null
    and gb_channel_id is not null order by id desc`)
  return new Map(rows.map((row) => [keyOf(row), row]))
}

/** Number of own channels, and the names of those that could not be stored. */
type ReconcileResult = { count: number; failed: string[] }

/**
 * Updates the cameras of an account from its platform's channels. One that cannot be stored does not affect the others.
 */
async function reconcileCameras(
  db: Db,
  services: Services,
  account: VideoAccount,
  listed: readonly PlatformVideoChannel[],
): Promise<ReconcileResult> {
  // Some platforms list a channel twice.
  const channels = [...new Map(listed.toReversed().map((one) => [keyOf(one), one])).values()].toReversed()
  await db.advisoryLock(`video/${account.id}`)
  const platform = videoPlatformHost(account)
  const devices = await devicesOf(db)
  // Cameras of this account, and those whose account was deleted. The platform may have moved since.
  const rows = await db.find(
    camera,
    sql`r.account_id = ${account.id} or (r.account_id is null and r.platform = ${platform})`,
    sql`order by r.id`,
  )
  const known = new Map(rows.map((row) => [keyOf(row as StoredCamera), row]))
  const own = await ownOf(db, platform, channels, { devices, known })
  const now = formatShanghaiTime(services.now())
  const changed: object[] = []
  const failed: string[] = []

  const take = async (one: PlatformVideoChannel) => {
    const row = known.get(keyOf(one))
    const device = devices.get(keyOf(one))
    const facts = {
      accountId: account.id,
      platform,
      channelKey: one.key,
      ptzType: String(one.ptzType),
      hasAudio: one.hasAudio,
      model: one.model,
      online: one.isOnline,
      ...(one.isOnline === (row?.state === 'offline') && { state: one.isOnline ? 'unknown' : 'offline' }),
      ...(device && !row?.deviceId && { deviceId: device.id }),
      ...(device && !row?.shopId && { shopId: device.shopId }),
    }
    known.delete(keyOf(one))
    if (row) {
      const isNews = (Object.keys(facts) as (keyof typeof facts)[]).some((key) => facts[key] !== row[key])
      if (isNews) changed.push(await db.update(camera, row.id, facts))
    } else changed.push(await addCamera(db, { one, device, facts: { ...facts, lastSeenTime: now } }))
    await mirror(db, device, one, now)
  }

  await processEachRow(own, {
    handle: (one) => db.savepoint(() => take(one)),
    failed: (one, _reason, err) => {
      services.log.warn({ err, account: account.id, channel: one.gbChannelId }, 'A channel could not be taken in')
      failed.push(one.name)
    },
  })
  // A channel the platform no longer lists becomes offline. Its camera and pictures stay.
  for (const row of known.values())
    if (row.online) changed.push(await db.update(camera, row.id, { online: false, state: 'offline' }))
  await seen(db, account, now)
  publishRowsChanged({ db }, camera, changed)
  return { count: own.length, failed }
}

/** Updates the last-seen time without notifying anybody. */
const seen = (db: Db, { id }: VideoAccount, now: string) =>
  db.run(sql`update camera set last_seen_time = ${now}::timestamptz where tenant_id = ${db.tenantId}
    and account_id = ${id} and online`)

type New = { one: PlatformVideoChannel; device?: Device; facts: object }

/** Adds a camera. Its clock is measured together with its first picture. */
const addCamera = (db: Db, { one, device, facts }: New) =>
  db.insert(camera, {
    name: (device?.name ?? one.name).slice(0, 100),
    gbDeviceId: one.gbDeviceId,
    gbChannelId: one.gbChannelId,
    watched: true,
    state: one.isOnline ? 'unknown' : 'offline',
    ...facts,
  })

/** Copies a camera's state to its device. */
async function mirror(
  db: Db,
  device: Device | undefined,
  { isOnline }: PlatformVideoChannel,
  now: string,
): Promise<void> {
  if (!device) return
  await db.run(sql`update device_info set online = ${isOnline},
    last_seen_time = case when ${isOnline} then ${now}::timestamptz else last_seen_time end
    where tenant_id = ${db.tenantId} and id = ${device.id}`)
}

/** Synchronises the cameras of one account with its platform. */
export async function syncVideoAccount(services: Services, tenantId: string, id: string): Promise<void> {
  const account = await services.unit({ tenantId }, async (db) => {
    const row = await db.get(videoAccount, id)
    return row?.enabled === false || !row ? undefined : decryptVideoAccount(services, row)
  })
  if (!account) return
  const syncTime = formatShanghaiTime(services.now())
  const note = (patch: object) =>
    services.unit({ tenantId }, async (db) => {
      publishRowsChanged({ db }, videoAccount, [await db.update(videoAccount, id, { syncTime, ...patch })])
    })
  let channels: PlatformVideoChannel[]
  try {
    channels = await listChannels(services, account)
  } catch (error) {
    const failReason = videoPlatformErrorText(error)
    await note({ failReason })
    // Its cameras keep their state; their last-seen time shows how old that is.
    return
  }
  await services
    .unit({ tenantId }, async (db) => {
      // The account was changed meanwhile, so this result says nothing about the new address or credentials.
      const row = await db.get(videoAccount, id, 'forUpdate')
      if (!row || decryptVideoAccount(services, row).mark !== account.mark) return
      const { count, failed } = await reconcileCameras(db, services, account, channels)
      const patch = { syncTime, cameras: count, failReason: skippedRowsNote(failed) }
      publishRowsChanged({ db }, videoAccount, [await db.update(videoAccount, id, patch)])
    })
    .catch(async (error: unknown) => {
      await note({ failReason: videoPlatformErrorText(error) })
      throw error
    })
}

export const syncVideoAccountJob = defineModuleJob({
  queue: videoSyncQueue,
  concurrency: 4,
  timeoutSeconds: 120,
  run: ({ id }, { services, tenantId }) => syncVideoAccount(services, tenantId, id),
})

/** Queues a job for each account, so that a platform that hangs does not delay others. */
export const enqueueVideoSyncsJob = defineModuleJob({
  queue: defineQueue('video.syncAll'),
  cron: '* * * * *',
  concurrency: 1,
  run: async (_payload, { services }) => {
    await services.unit({ crossTenantReason: 'the video platforms of all tenants are looked at' }, async (db) => {
      const all = await db.query<{ id: string; tenantId: string }>(sql`select id::text, tenant_id from video_account
        where is_deleted = 0 and enabled order by id`)
      for (const { id, tenantId } of all)
        await db.asTenant(tenantId, (own) => own.enqueue(videoSyncQueue, { id }, { key: id }))
    })
  },
})
