import type { RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { notifyPerson } from '#domains/shops/shop-events/api.ts'
import './refusals.ts'
import { WORK_ORDER_STATE, workDevice, workInfo } from './work-info.resource.ts'

type Work = RowOf<typeof workInfo>
type WorkDevice = RowOf<typeof workDevice>

/** Installed devices of a finished work order; `shops` are those of the caller if limited to some. */
type Installed = {
  shopId: string
  workId: string
  devices: readonly WorkDevice[]
  day: string
  shops: readonly string[] | undefined
}
type Registrar = (db: Db, install: Installed) => Promise<ReadonlyMap<string, string>>
const registrars: Registrar[] = []
/**
 * Registers how the devices module adds the devices of a finished installation to a shop. The function returns device
 * ids by line id; if it refuses, the work order stays unfinished.
 */
export const registerDeviceInstaller = (registrar: Registrar): void => void registrars.push(registrar)

/** Called with the devices a work order removed from its shop. */
type Remover = (db: Db, removed: { shopId: string; devices: readonly WorkDevice[] }) => Promise<void>
const removers: Remover[] = []
/** Registers how the devices module releases the devices a work order removed. */
export const registerDeviceRemover = (remover: Remover): void => void removers.push(remover)

const isClosed = (work: Work) => work.status === WORK_ORDER_STATE.done || work.status === WORK_ORDER_STATE.cancelled

/** Returns the next work order number: W, the date and a number of the day, short enough for the phone. */
async function nextNumber(db: Db, now: Date): Promise<string> {
  const day = `W${formatShanghaiTime(now).slice(2, 10).replaceAll('-', '')}`
  await db.advisoryLock('work-number')
  // By length first: after 9999 numbers have five digits.
  const last = await db.one<{ last: string }>(
    sql`select work_no as last from work_info where tenant_id = ${db.tenantId} and work_no like ${`${day}%`}
      order by length(work_no) desc, work_no desc limit 1`,
  )
  return `${day}${String(Number(last?.last.slice(day.length) ?? 0) + 1).padStart(4, '0')}`
}

/** Creates a work order in the name of the system, waiting to be assigned. */
export async function createWorkOrder(
  db: Db,
  now: Date,
  draft: Pick<Work, 'title' | 'type' | 'shopId' | 'content' | 'pictures'>,
): Promise<Work> {
  const row = await db.insert(workInfo, {
    ...draft,
    workNo: await nextNumber(db, now),
    status: WORK_ORDER_STATE.waiting,
  })
  publishRowsChanged({ db }, workInfo, [row])
  return row
}

const toResult = ({ id, status }: Work) => ({ id, status })

async function register(work: Work, call: Call): Promise<void> {
  const { db } = call
  const devices = await db.find(workDevice, sql`r.work_id = ${work.id} and r.device_id is null`, sql`order by r.id`)
  const wanted = devices.filter(({ action }) => action === 'install' || action === 'replace')
  if (!wanted.length) return
  const registered: WorkDevice[] = []
  for (const registrar of registrars) {
    const ids = await registrar(db, {
      shopId: work.shopId,
      workId: work.id,
      devices: wanted,
      day: formatShanghaiTime(call.services.now()).slice(0, 10),
      shops: call.caller.limits.shop,
    })
    for (const [lineId, deviceId] of ids) registered.push(await db.update(workDevice, lineId, { deviceId }))
  }
  publishRowsChanged(call, workDevice, registered)
}

/** Releases removed devices, whatever the type of the work order: repairs remove old devices too. */
async function letGo(work: Work, { db }: Call): Promise<void> {
  const devices = await db.find(workDevice, sql`r.work_id = ${work.id} and r.action = 'remove'`, sql`order by r.id`)
  if (devices.length) for (const remover of removers) await remover(db, { shopId: work.shopId, devices })
}

export const workInfoServer = serve(workInfo, {
  beforeSave: async (draft, was, call) => {
    if (!was) draft.workNo = await nextNumber(call.db, call.services.now())
    else if (isClosed(was)) throw new Refused('work_closed', { title: was.title })
  },
  beforeRemove: (rows) => {
    const kept = rows.find(({ status }) => status !== WORK_ORDER_STATE.waiting && status !== WORK_ORDER_STATE.cancelled)
    if (kept) throw new Refused('work_kept', { title: kept.title })
  },
  actions: {
    assign: async (work, { workerUserId, planTime }, call) => {
      const { db } = call
      const worker = await db.one(
        sql`select 1 from sys_user where tenant_id = ${db.tenantId} and id = ${workerUserId} and is_deleted = 0`,
      )
      if (!worker) throw invalidFieldRefusal(workInfo, 'workerUserId', 'not_found')
      const assigned = await requireTransition(call, workInfo, work.id, 'assign', {
        workerUserId,
        ...(planTime ? { planTime } : {}),
      })
      if (workerUserId !== call.caller.userId) {
        await notifyPerson(db, call.services, {
          userId: workerUserId,
          shopId: work.shopId,
          template: 'work',
          content: { zh: `工单 ${work.workNo}：${work.title}`, en: `Work order ${work.workNo}: ${work.title}` },
        })
      }
      return toResult(assigned)
    },
    start: async ({ id }, _input, call) =>
      toResult(
        await requireTransition(call, workInfo, id, 'start', { startTime: formatShanghaiTime(call.services.now()) }),
      ),
    finish: async (work, { resultRemark, pictures }, call) => {
      await letGo(work, call)
      if (work.type === 'install') await register(work, call)
      const done = await requireTransition(call, workInfo, work.id, 'finish', {
        finishTime: formatShanghaiTime(call.services.now()),
        resultRemark,
        ...(pictures?.length ? { pictures } : {}),
      })
      return toResult(done)
    },
    cancel: async ({ id }, { resultRemark }, call) => {
      const finishTime = formatShanghaiTime(call.services.now())
      return toResult(await requireTransition(call, workInfo, id, 'cancel', { finishTime, resultRemark }))
    },
  },
})

/** Returns and locks the work order of a line; refuses a closed one. */
async function openWork(db: Db, workId: string): Promise<Work> {
  const work = await db.get(workInfo, workId, 'forUpdate')
  if (!work) throw new Refused('not_found', { label: workInfo.label })
  if (isClosed(work)) throw new Refused('work_closed', { title: work.title })
  return work
}

export const workDeviceServer = serve(workDevice, {
  beforeSave: async (draft, was, { db }) => {
    if (was?.deviceId) throw new Refused('work_device_registered', { sn: was.sn })
    const work = await openWork(db, (was?.workId ?? draft.workId)!)
    if (!was) draft.shopId = work.shopId
  },
  // When the work order itself is removed, its lines go too, whatever its state.
  beforeRemove: async (rows, { db }, isAlong) => {
    if (isAlong) return
    for (const workId of [...new Set(rows.map((row) => row.workId))].sort()) await openWork(db, workId)
  },
})
