import { type RowOf, f } from '#kit/resource/index.ts'
import { dataScopeSql } from '#kit/server/database/data-scope.ts'
import { sql } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { cashRegisterClientVersion, clientVersion } from '#domains/devices/device-registry/index.ts'
import { deviceLink } from '#domains/devices/device-messaging/index.ts'
import './refusals.ts'
import { cancelWaitingRolloutDevices, enqueueRolloutStep } from './rollout-step.ts'
import { rollout, rolloutDevice } from './rollout.resource.ts'
import { gatewayModelOfProgram, requireInstallableProgram, findProgram, type ProgramModule } from './upgrade.ts'

type Rollout = RowOf<typeof rollout>

/** Parses percentages such as `5,25,100`; refuses a list that does not rise. */
function wavesOf(text: string): number[] {
  const waves = text.split(',').map(Number)
  if (waves.some((part, at) => part < 1 || part > 100 || part <= (waves[at - 1] ?? 0)))
    throw new Refused('waves_must_rise')
  return waves
}

/** Hashes (FNV-1a) a device's id and its rollout's, so that each rollout has another order of devices. */
function placeOf(text: string): number {
  let hash = 2_166_136_261
  for (const sign of text) hash = Math.imul(hash ^ sign.codePointAt(0)!, 16_777_619)
  return hash >>> 0
}

type Target = { id: string; clientId: string; shopId: string; firmware: string | null }

/**
 * Assigns the devices to waves. The canary shops are wave 1 where there are any; each percentage of the others includes
 * the devices of earlier waves.
 */
function wavesFor(row: Rollout, targets: readonly Target[]) {
  const canaries = new Set(row.canaryShops ?? [])
  const first = targets.filter(({ shopId }) => canaries.has(shopId))
  const others = targets
    .filter(({ shopId }) => !canaries.has(shopId))
    .toSorted((a, b) => placeOf(`${row.id}/${a.clientId}`) - placeOf(`${row.id}/${b.clientId}`))
  const ends = wavesOf(row.waves).map((part) => Math.ceil((others.length * part) / 100))
  const waves = [first, ...ends.map((end, at) => others.slice(at ? ends[at - 1] : 0, end))]
  return waves.filter((wave) => wave.length)
}

async function start(row: Rollout, call: Call): Promise<void> {
  const { db, services } = call
  const module = row.module as ProgramModule
  await db.advisoryLock(`rollout/${module}`)
  const [other] = await db.find(rollout, sql`r.module = ${module} and r.state in ('running', 'paused')`)
  if (other) throw new Refused('rollout_running', { name: other.name })
  const program = await requireInstallableProgram(db, module, row.programId)
  const model = gatewayModelOfProgram(program)
  const shops = row.shopIds?.length ? row.shopIds : null
  const targets = await db.query<Target>(sql`select id, client_id, shop_id, firmware from device_link
    where tenant_id = ${db.tenantId} and kind = ${module}
    and (${shops}::bigint[] is null or shop_id = any(${shops}::bigint[]))
    and (${model}::text is null or hardware is null or hardware = ${model}) order by id`)
  const waves = wavesFor(row, targets)
  if (!waves.length) throw new Refused('rollout_without_devices')
  await db.insertAll(
    rolloutDevice,
    waves.flatMap((wave, at) =>
      wave.map((target) => ({
        rolloutId: row.id,
        linkId: target.id,
        clientId: target.clientId,
        shopId: target.shopId,
        wave: at + 1,
        state: 'waiting',
        fromVersion: target.firmware,
      })),
    ),
  )
  await requireTransition(call, rollout, row.id, 'start', {
    versionName: program.versionName,
    wave: 1,
    total: waves.flat().length,
    startTime: formatShanghaiTime(services.now()),
  })
  await enqueueRolloutStep(db, row.id)
}

async function stop(row: Rollout, call: Call): Promise<void> {
  await cancelWaitingRolloutDevices(call.db, call.services, row)
  await requireTransition(call, rollout, row.id, 'stop', { endTime: formatShanghaiTime(call.services.now()) })
}

function refuseBegun(row: Rollout | undefined): void {
  if (row && row.state !== 'draft') throw new Refused('rollout_began', { name: row.name })
}

export const rolloutServer = serve(rollout, {
  beforeSave: async (draft, was, { db }) => {
    refuseBegun(was)
    if (draft.waves) wavesOf(draft.waves)
    const value = <K extends keyof Rollout>(key: K) =>
      (draft as Partial<Rollout>)[key] === undefined ? was?.[key] : (draft as Rollout)[key]
    if (!value('windowStart') !== !value('windowEnd')) throw new Refused('window_needs_both')
    if (draft.programId || draft.module)
      draft.versionName =
        (await findProgram(db, value('module') as ProgramModule, value('programId') ?? null))?.versionName ?? null
  },
  beforeRemove: (rows) => rows.forEach(refuseBegun),
  present: (wire, rows, { lang }) =>
    rows.forEach((row, at) => {
      if (lang === 'en' && row.stopReasonEn) wire[at]!.stopReason = row.stopReasonEn
    }),
  actions: {
    start: (row, _input, call) => start(row, call),
    pause: async (row, _input, call) => void (await requireTransition(call, rollout, row.id, 'pause')),
    resume: async (row, _input, call) => {
      await requireTransition(call, rollout, row.id, 'resume')
      await enqueueRolloutStep(call.db, row.id)
    },
    stop: (row, _input, call) => stop(row, call),
  },
})

export const rolloutDeviceServer = serve(rolloutDevice, {
  without: ['submit', 'remove'],
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'reason', lang),
})

/** Counts devices per program version, the most frequent first. */
const board = async ({ db, caller, input }: Call<{ module: string | null }>) => {
  const module = input.module ?? 'gateway'
  const versions = await db.query(sql`select coalesce(r.firmware, '') as version, count(*)::int as devices,
      (count(*) filter (where r.state = 'online'))::int as online
    from device_link r where r.tenant_id = ${db.tenantId} and r.kind = ${module}${dataScopeSql(deviceLink, caller)}
    group by 1 order by 2 desc, 1`)
  const newest =
    module === 'gateway'
      ? await db.find(clientVersion, sql`r.status = 1`, sql`order by r.version_code desc limit 1`)
      : await db.find(cashRegisterClientVersion, sql`r.status = 1`, sql`order by r.version_code desc limit 1`)
  return { module, newest: newest[0]?.versionName ?? '', versions }
}

/** Counts the devices of each wave by state. */
const progress = async (call: Call<{ id: string | null }>) => {
  const { db, caller, input } = call
  return {
    waves: await db.query(sql`select r.wave, count(*)::int as total,
      (count(*) filter (where r.state = 'waiting'))::int as waiting,
      (count(*) filter (where r.state = 'asked'))::int as asked,
      (count(*) filter (where r.state in ('done', 'skipped')))::int as done,
      (count(*) filter (where r.state = 'failed'))::int as failed,
      (count(*) filter (where r.state = 'canceled'))::int as canceled
    from rollout_device r where r.tenant_id = ${db.tenantId} and r.rollout_id = ${input.id}
      ${dataScopeSql(rolloutDevice, caller)} group by r.wave order by r.wave`),
  }
}

export const rolloutRoutes = [
  defineRoute({
    method: 'GET',
    path: `${rollout.path}/board`,
    title: { zh: '设备版本分布', en: 'Version distribution' },
    can: 'rollout',
    input: { module: rollout.fields.module },
    handle: board,
  }),
  defineRoute({
    method: 'GET',
    path: `${rollout.path}/progress`,
    title: { zh: '升级进展', en: 'Rollout progress' },
    can: 'rollout',
    input: { id: f.ref('rollout', { label: rollout.label, required: true }) },
    handle: progress,
  }),
]
