import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { videoSyncQueue } from './sync.job.ts'
import { videoAccount } from './video-account.resource.ts'

/** A camera among the demo devices, as the simulated platform needs it. */
export type DemoCamera = {
  gbDeviceId: string
  gbChannelId: string
  name: string
  shop: string
  isOnline: boolean
  position: string
}

/** Returns the cameras among the demo tenant's devices. */
export const findDemoCameras = (db: Db): Promise<DemoCamera[]> =>
  db.query<DemoCamera>(sql`select d.gb_device_id, d.gb_channel_id, d.name, s.shop_code as shop,
    coalesce(d.online, false) as "isOnline", coalesce(d.position, '') as position
    from device_info d join basic_shop_info s on s.tenant_id = d.tenant_id and s.id = d.shop_id
    where d.tenant_id = ${db.tenantId} and d.is_deleted = 0 and d.type = 'camera' and d.gb_channel_id is not null
    order by d.id`)

/** Creates an account that is disabled until the simulated platform starts. */
export async function seed(db: Db): Promise<void> {
  const [endpoint, username] = ['https://wvp.example.com', 'admin']
  await db.insert(videoAccount, {
    name: NAME,
    endpoint,
    username,
    generation: 'auto',
    mayBeInside: true,
    enabled: false,
  })
}

/** Points the demo account at this start's simulated platform, whose address changes each time. Returns its id. */
export async function seedVideoAccount(
  db: Db,
  services: Services,
  { endpoint, rtspBase, password }: { endpoint: string; rtspBase: string; password: string },
): Promise<string> {
  const draft = {
    endpoint,
    rtspBase,
    username: 'admin',
    secretKey: secretCipherOf(services).seal(password),
    generation: 'auto',
    mayBeInside: true,
    enabled: true,
  }
  const [known] = await db.find(videoAccount, sql`r.name = ${NAME}`)
  const { id } = known
    ? await db.update(videoAccount, known.id, draft)
    : await db.insert(videoAccount, { ...draft, name: NAME })
  await db.enqueue(videoSyncQueue, { id }, { key: id })
  return id
}

const NAME = '门店视频平台'
