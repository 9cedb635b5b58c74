import type { RowOf, LocalizedText } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { transition, transitionAll } from '#kit/server/resource/transition.ts'
import { raiseEvent } from '#domains/shops/shop-events/api.ts'
import {
  ALREADY_APPLIED_MESSAGE,
  requestCommand,
  cancelCommands,
  type DeviceCommand,
} from '#domains/devices/device-messaging/api.ts'
import { deviceLink } from '#domains/devices/device-messaging/index.ts'
import { loadPlatformKeys, type PlatformKeys } from './platform-key.ts'
import { rollout, rolloutDevice } from './rollout.resource.ts'
import {
  onDeviceUpgradeEnd,
  createUpgradeParams,
  requireInstallableProgram,
  UPGRADE_LANE,
  upgradeCommand,
  type ProgramModule,
} from './upgrade.ts'

type Rollout = RowOf<typeof rollout>
type Hand = { db: Db; services: Services; keys: PlatformKeys }

const advanceRolloutsQueue = defineQueue<{ rolloutId?: string }>('rollout.step')
/** How many devices of a rollout upgrade at the same time. */
const AT_ONCE = 50
/** A device that has not acknowledged its command for so long counts as failed, so that its wave can go on. */
const SILENT_MS = 30 * 60_000

const REASONS = {
  download: defineSystemText({ zh: '下载失败', en: 'Download failed' }),
  checksum: defineSystemText({ zh: '校验或签名不符', en: 'Checksum or signature mismatch' }),
  rollback: defineSystemText({ zh: '升级后回退到旧版本', en: 'Rolled back to the old version' }),
  silent: defineSystemText({ zh: '设备没有回应', en: 'No response from device' }),
}

const WITHDRAWN = { zh: '版本已撤回或安装包已删除', en: 'The version was unpublished or its package deleted' }

export const enqueueRolloutStep = (db: Db, id: string): Promise<void> =>
  db.enqueue(advanceRolloutsQueue, { rolloutId: id })

function reasonOf({ code, message, state }: DeviceCommand): string | null {
  if (state === 'done' || message === ALREADY_APPLIED_MESSAGE) return null
  if (message === 'ROLLBACK') return REASONS.rollback
  if (code === 7) return REASONS.download
  if (code === 8) return REASONS.checksum
  return state === 'unknown' || state === 'expired' ? REASONS.silent : message
}

// Runs in the transaction in which the command ends, so that no end is lost; a job then advances the rollout. A device
// counted as failed because it was silent is corrected when its upgrade turns out to be done.
onDeviceUpgradeEnd(async (db, command, services) => {
  const wasAlreadyInstalled = command.state === 'refused' && command.message === ALREADY_APPLIED_MESSAGE
  const to = wasAlreadyInstalled
    ? 'skipped'
    : command.state === 'done' || command.state === 'canceled'
      ? command.state
      : 'failed'
  const end = { reason: reasonOf(command), endTime: formatShanghaiTime(services.now()) }
  const [row] = await transitionAll(db, rolloutDevice, sql`r.command_id = ${command.id}`, 'end', end, { to })
  if (row) await enqueueRolloutStep(db, row.rolloutId!)
})

/** Returns whether the rollout may work at this time. A window may go past midnight. */
export function isInRolloutWindow(
  { windowStart: from, windowEnd: to }: Pick<Rollout, 'windowStart' | 'windowEnd'>,
  now: Date,
) {
  if (!from || !to) return true
  const time = formatShanghaiTime(now).slice(11, 16)
  return from <= to ? time >= from && time < to : time >= from || time < to
}

type Wave = { wave: number; total: number; waiting: number; here: number; asked: number; done: number; failed: number }

const wavesOf = (db: Db, { id }: Rollout): Promise<Wave[]> =>
  db.query<Wave>(sql`select d.wave, count(*)::int as total,
      (count(*) filter (where d.state = 'waiting'))::int as waiting,
      (count(*) filter (where d.state = 'waiting' and l.state = 'online'))::int as here,
      (count(*) filter (where d.state = 'asked'))::int as asked,
      (count(*) filter (where d.state in ('done', 'skipped')))::int as done,
      (count(*) filter (where d.state = 'failed'))::int as failed
    from rollout_device d left join device_link l on l.tenant_id = d.tenant_id and l.id = d.link_id
    where d.tenant_id = ${db.tenantId} and d.rollout_id = ${id} group by d.wave order by d.wave`)

/** Marks devices as failed that have not acknowledged their command for too long. A later success corrects this. */
async function giveUpSilent(db: Db, { id }: Rollout, now: Date): Promise<void> {
  const since = new Date(now.getTime() - SILENT_MS).toISOString()
  await transitionAll(
    db,
    rolloutDevice,
    sql`r.rollout_id = ${id} and r.ask_time < ${since} and exists (select 1 from device_command c
      where c.tenant_id = r.tenant_id and c.id = r.command_id and c.state in ('asked', 'sent'))`,
    'giveUp',
    { reason: REASONS.silent, endTime: formatShanghaiTime(now) },
  )
}

/** Cancels waiting devices whose link has been removed. */
async function dropGone(db: Db, { id }: Rollout): Promise<void> {
  const isGone = sql`r.rollout_id = ${id} and not exists (select 1 from device_link l
    where l.tenant_id = r.tenant_id and l.id = r.link_id)`
  await transitionAll(db, rolloutDevice, isGone, 'cancel')
}

/** Selects up to `max` waiting devices of this and earlier waves that are online and have no upgrade in progress. */
const nextOf = (db: Db, row: Rollout, max: number): Promise<{ id: string; linkId: string }[]> =>
  db.query(sql`select d.id, d.link_id from rollout_device d
      join device_link l on l.tenant_id = d.tenant_id and l.id = d.link_id
    where d.tenant_id = ${db.tenantId} and d.rollout_id = ${row.id} and d.state = 'waiting' and d.wave <= ${row.wave}
    and l.state = 'online' and not exists (select 1 from device_command_due u join device_command c
      on c.tenant_id = u.tenant_id and c.id = u.id where u.tenant_id = d.tenant_id and u.link_id = d.link_id
      and c.lane = ${UPGRADE_LANE})
    order by d.wave, d.id limit ${max} for update of d`)

async function requestNextUpgrades({ db, services, keys }: Hand, row: Rollout, max: number): Promise<void> {
  const next = await nextOf(db, row, max)
  if (!next.length) return
  const module = row.module as ProgramModule
  const params = await createUpgradeParams(
    services,
    keys,
    module,
    await requireInstallableProgram(db, module, row.programId),
  )
  const at = formatShanghaiTime(services.now())
  for (const { id, linkId } of next) {
    const link = (await db.get(deviceLink, linkId))!
    if (link.firmware === params.version) {
      await transition(db, rolloutDevice, id, 'skip', { endTime: at })
      continue
    }
    const command = await requestCommand({ db, services }, upgradeCommand, link, params, {
      source: 'schedule',
      userId: row.updateUser,
      key: `rollout/${id}`,
    })
    const isOver = command.state === 'refused'
    const request = {
      reason: isOver ? reasonOf(command) : null,
      commandId: command.id,
      fromVersion: link.firmware,
      askTime: at,
      endTime: isOver ? at : null,
    }
    await transition(db, rolloutDevice, id, 'ask', request, { to: isOver ? 'failed' : 'asked' })
  }
}

/** Cancels all devices that wait, and the commands no device has acknowledged yet, so that none starts later. */
export async function cancelWaitingRolloutDevices(db: Db, services: Services, { id }: Rollout): Promise<void> {
  await transitionAll(db, rolloutDevice, sql`r.rollout_id = ${id}`, 'cancel')
  const untaken = await db.query<{ id: string }>(sql`select c.id from rollout_device d
    join device_command c on c.tenant_id = d.tenant_id and c.id = d.command_id
    where d.tenant_id = ${db.tenantId} and d.rollout_id = ${id} and c.state in ('asked', 'sent') order by c.id`)
  await cancelCommands(
    db,
    services,
    untaken.map((one) => one.id),
  )
}

/** Stops the rollout by itself (too many failures, or its version was withdrawn) and records why. */
async function stopItself(db: Db, services: Services, row: Rollout, reason: LocalizedText): Promise<void> {
  await cancelWaitingRolloutDevices(db, services, row)
  await transition(db, rollout, row.id, 'stopItself', {
    stopReason: reason.zh,
    stopReasonEn: reason.en,
    endTime: formatShanghaiTime(services.now()),
  })
  const [failed] = await db.find(
    rolloutDevice,
    sql`r.rollout_id = ${row.id} and r.state = 'failed'`,
    sql`order by r.id limit 1`,
  )
  if (failed)
    await raiseEvent(db, {
      shopId: failed.shopId!,
      type: 'rolloutStopped',
      subject: `rollout/${row.id}`,
      content: {
        zh: `升级“${row.name}”已自动停止：${reason.zh}`,
        en: `The rollout "${row.name}" stopped itself: ${reason.en}`,
      },
    })
}

const isOverRate = ({ failed, total }: Wave, max: number) => failed * 100 > max * total

/** Advances a rollout in a transaction of its own. */
export async function advanceRollout(services: Services, tenantId: string, id: string): Promise<void> {
  const keys = await loadPlatformKeys(services)
  await services.unit({ tenantId }, (db) => step({ db, services, keys }, id))
}

/** Advances a rollout as far as possible now. Repeated calls are harmless. */
async function step(hand: Hand, id: string): Promise<void> {
  const { db, services } = hand
  const now = services.now()
  const row = await db.get(rollout, id, 'forUpdate')
  if (!row) return
  await giveUpSilent(db, row, now)
  if (row.state === 'running') await proceed(hand, row, now)
  const waves = await wavesOf(db, row)
  const sum = (key: 'done' | 'failed') => waves.reduce((all, wave) => all + wave[key], 0)
  const after = await db.update(rollout, id, { doneCount: sum('done'), failedCount: sum('failed') })
  publishRowsChanged({ db }, rollout, [after])
}

async function proceed(hand: Hand, row: Rollout, now: Date): Promise<void> {
  const { db, services } = hand
  await dropGone(db, row)
  for (let wave = row.wave ?? 1; ;) {
    const waves = await wavesOf(db, row)
    const reached = waves.filter((one) => one.wave <= wave)
    const bad = reached.find((one) => isOverRate(one, row.failureMax))
    if (bad) return stopItself(db, services, row, reasonToStop(bad, row.failureMax))
    const requestedCount = reached.reduce((all, one) => all + one.asked, 0)
    const here = reached.reduce((all, one) => all + one.here, 0)
    if (here && isInRolloutWindow(row, now) && requestedCount < AT_ONCE) {
      const isReady = await isProgramReady(db, row)
      if (!isReady) return stopItself(db, services, row, WITHDRAWN)
      await requestNextUpgrades(hand, { ...row, wave }, AT_ONCE - requestedCount)
      const after = (await wavesOf(db, row)).filter((one) => one.wave <= wave)
      // Continues only when no device is upgrading or online and waiting, as when all had the version already.
      if (after.some((one) => one.asked || one.here)) return
      continue
    }
    if (here || requestedCount) return
    const next = await beginNextWave(db, row, { waves, wave, now })
    if (next === undefined) return
    wave = next
  }
}

/**
 * Begins the next wave and returns its number. Returns undefined while this wave has no result yet, and after the last
 * wave, which ends the rollout once no device is waiting.
 */
async function beginNextWave(
  db: Db,
  row: Rollout,
  { waves, wave, now }: { waves: readonly Wave[]; wave: number; now: Date },
): Promise<number | undefined> {
  const current = waves.find((one) => one.wave === wave)
  // A wave whose devices are all offline has no result yet.
  if (current && current.waiting && !current.done && !current.failed) return undefined
  const next = waves.find((one) => one.wave > wave)
  if (next) await db.update(rollout, row.id, { wave: next.wave })
  else if (!waves.some((one) => one.waiting))
    await transition(db, rollout, row.id, 'finish', { endTime: formatShanghaiTime(now) })
  return next?.wave
}

async function isProgramReady(db: Db, row: Rollout): Promise<boolean> {
  return requireInstallableProgram(db, row.module as ProgramModule, row.programId).then(
    () => true,
    () => false,
  )
}

const reasonToStop = ({ wave, failed, total }: Wave, max: number): LocalizedText => ({
  zh: `第 ${wave} 批 ${total} 台中 ${failed} 台失败，超过 ${max}%`,
  en: `${failed} of ${total} failed in wave ${wave}, more than ${max}%`,
})

/**
 * Advances one rollout after a device's upgrade ends, and all running ones every minute, as windows open and devices
 * come online or fall silent.
 */
export const advanceRolloutsJob = defineModuleJob({
  queue: advanceRolloutsQueue,
  cron: '* * * * *',
  run: async ({ rolloutId }, { tenantId, services }) => {
    if (rolloutId) return advanceRollout(services, tenantId, rolloutId)
    const running = await services.unit({ crossTenantReason: 'rollouts of all tenants that go on' }, (db) =>
      db.query<{ id: string; tenantId: string }>(
        sql`select id, tenant_id from rollout where state = 'running' and is_deleted = 0`,
      ),
    )
    for (const one of running) await advanceRollout(services, one.tenantId, one.id)
  },
})
