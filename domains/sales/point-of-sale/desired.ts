import { sql, awaitBatch, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, extend } from '#kit/server/module/module.ts'
import { cashRegisterPic } from '#domains/devices/device-registry/index.ts'
import { registerDesiredStateProvider, sendDesiredState } from '#domains/devices/device-messaging/api.ts'
import { deviceLink } from '#domains/devices/device-messaging/index.ts'
import { loadTerminalSettings } from '#domains/shops/shops/api.ts'
import { shopConf } from '#domains/shops/shops/index.ts'

const pushRegisterDesiredStateQueue = defineQueue<{ shopId: string | null }>('register.desired')

/** Pictures for the screens of a shop's registers, including future ones: the register itself follows their times. */
const picturesOf = (db: Db, shopId: string) =>
  db.query(sql`select p.id, p.picture as url, p.position, p.start_time, p.end_time from cash_register_pic p
    where p.tenant_id = ${db.tenantId} and p.is_deleted = 0 and coalesce(p.enabled, true)
    and (coalesce(cardinality(p.shop_ids), 0) = 0 or ${shopId}::bigint = any(p.shop_ids))
    order by p.sort nulls last, p.id`)

/** Grows with every change of what a register should show and act by, a removal included. */
async function versionOf(db: Db, shopId: string): Promise<number> {
  const row = await db.one<{ at: number }>(sql`select coalesce(max((extract(epoch from t.update_time) * 1000)::bigint),
      0) as at from (select update_time from shop_conf where tenant_id = ${db.tenantId} and shop_id = ${shopId}
      union all select update_time from cash_register_pic where tenant_id = ${db.tenantId}) t`)
  return row!.at
}

registerDesiredStateProvider(async ({ db, link }) => {
  if (link.kind !== 'register') return undefined
  const shopId = link.shopId!
  const [settings = {}, pictures, ver] = await awaitBatch([
    loadTerminalSettings(db, shopId),
    picturesOf(db, shopId),
    versionOf(db, shopId),
  ])
  return { ver, conf: { settings, pictures } }
})

/** Enqueues sending the settings to connected registers; others get them when they connect. */
const enqueueSettingsPush = (db: Db, shopId?: string): Promise<void> =>
  db.enqueue(pushRegisterDesiredStateQueue, { shopId: shopId ?? null })

export const pushPicturesToRegistersExtension = extend(cashRegisterPic, {
  afterSave: (_row, _was, { db }) => enqueueSettingsPush(db),
  afterRemove: (_rows, { db }) => enqueueSettingsPush(db),
  afterRestore: (_row, { db }) => enqueueSettingsPush(db),
})

export const pushConfToRegistersExtension = extend(shopConf, {
  afterSave: async (row, was, { db }) => {
    if (was && was.wantedVersion !== row.wantedVersion) await enqueueSettingsPush(db, row.shopId)
  },
})

export const pushRegisterDesiredStateJob = defineModuleJob({
  queue: pushRegisterDesiredStateQueue,
  run: async ({ shopId }, { tenantId, services }) => {
    const links = await services.unit({ tenantId }, (db) =>
      db.find(
        deviceLink,
        sql`r.kind = 'register' and r.state <> 'offline'
          and (${shopId}::bigint is null or r.shop_id = ${shopId}::bigint)`,
        sql`order by r.id`,
      ),
    )
    for (const link of links) await sendDesiredState(services, link)
  },
})
