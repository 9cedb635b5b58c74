import type { RowOf } from '#kit/resource/index.ts'
import { VendorError } from '#domains/platform/external-apis/api.ts'
import { findPlatformAccount, finishBatch, type PlatformRow } from '#domains/sales/delivery-platforms/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import {
  MEITUAN_FIELD_BY_ERROR_CODE,
  toMeituanItemFailure,
  createMeituanError,
  type MeituanItemFailure,
} from './answers.ts'
import type { MeituanTaskKind } from './client.ts'
import { createMeituanShopClient, type MeituanShopClient } from './connection.ts'
import { MEITUAN_TASK_STATE } from './dictionaries.ts'
import { toMeituanTaskItem, meituanSyncedGoods } from './synced-resources.ts'
import { meituanShopInfo } from './meituan-shop-info.resource.ts'
import { meituanTask } from './meituan-task.resource.ts'
import { meituanDeliveryPlatform } from './platform.ts'
import { findMeituanTaskItems, enqueueMeituanTask, meituanTaskQueue, type TaskFailure } from './tasks.ts'

type Task = RowOf<typeof meituanTask>
type ClaimedTask = { services: Services; tenantId: string; row: Task; shop: PlatformRow; connection: MeituanShopClient }
type Fate = Parameters<typeof finishBatch>[3]

const OPEN: readonly number[] = [MEITUAN_TASK_STATE.asked, MEITUAN_TASK_STATE.sent, MEITUAN_TASK_STATE.running]
const TASK_RUNNING = 1
/** A batch that is not at the platform this long after it was sent never arrived. */
const REQUEST_LOST_MS = 60_000
/** After this time a batch without an end is given up and its products are synced one by one. */
const LOST_MS = 2 * 3_600_000
const [SOON_MS, LATE_MS] = [2_000, 60_000]

/** Submits a batch once and asks for its progress until it ends. */
export const runMeituanTaskJob = defineModuleJob({
  queue: meituanTaskQueue,
  concurrency: 4,
  timeoutSeconds: 300,
  run: async ({ id }, { tenantId, services }) => {
    const held = await services.unit({ tenantId }, (db) => claimTask(db, services, tenantId, id))
    if (!held) return
    const isLost = services.now().getTime() - sinceOf(held.row) > LOST_MS
    if (isLost) await end(held, { status: MEITUAN_TASK_STATE.lost }, () => 'unknown')
    else await continueTask(held)
  },
})

/**
 * Every minute: enqueues open batches that have no job, after a restore of the database or while an account was
 * missing.
 */
export const requeueMeituanTasksJob = defineModuleJob({
  queue: defineQueue('meituan.tasks'),
  cron: '* * * * *',
  run: (_payload, { services }) =>
    services.unit({ crossTenantReason: 'works of all tenants under way at Meituan' }, async (all) => {
      const rows = await all.query<{ tenantId: string; id: string }>(
        sql`select tenant_id, id from meituan_task where status = any(${[...OPEN]}::int[])`,
      )
      for (const { tenantId, id } of rows) await all.asTenant(tenantId, (db) => enqueueMeituanTask(db, id))
    }),
})

async function claimTask(db: Db, services: Services, tenantId: string, id: string): Promise<ClaimedTask | undefined> {
  const row = await db.get(meituanTask, id)
  if (!row || !OPEN.includes(row.status!)) return undefined
  const shop = (await db.get(meituanShopInfo, row.meituanShopId!)) as PlatformRow | undefined
  const account = await findPlatformAccount(db, services, meituanDeliveryPlatform.name)
  if (!shop || !account) return undefined
  return { services, tenantId, row, shop, connection: createMeituanShopClient(services, account, shop) }
}

const sinceOf = ({ sentTime, createTime }: Task): number => Date.parse(`${sentTime ?? createTime}+08:00`)

const unit = <T>({ services, tenantId }: ClaimedTask, work: (db: Db) => Promise<T>): Promise<T> =>
  services.unit({ tenantId }, work)

/** Updates a batch and publishes the change to open pages. */
const updateTask = async (db: Db, id: string, patch: Partial<Task>): Promise<void> =>
  publishRowsChanged({ db }, meituanTask, [await db.update(meituanTask, id, patch)])

/** Enqueues the next look at a batch, with pauses that grow with its age. */
function again(held: ClaimedTask, patch: Partial<Task> = {}): Promise<void> {
  const now = held.services.now()
  const waitMs = Math.min(Math.max(SOON_MS, (now.getTime() - sinceOf(held.row)) / 4), LATE_MS)
  return unit(held, async (db) => {
    if (Object.keys(patch).length) await updateTask(db, held.row.id, patch)
    await enqueueMeituanTask(db, held.row.id, new Date(now.getTime() + waitMs))
  })
}

async function continueTask(held: ClaimedTask): Promise<void> {
  try {
    await (held.row.status === MEITUAN_TASK_STATE.running ? checkTask(held) : handOver(held))
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    const message = error.message.slice(0, 500)
    const isRefused = error.isUndone && !error.isRetryable
    if (!isRefused && held.row.status === MEITUAN_TASK_STATE.running) return again(held, { error: message })
    // The number is unknown, or belongs to another application by now.
    if (held.row.status === MEITUAN_TASK_STATE.running)
      return end(held, { status: MEITUAN_TASK_STATE.lost, error: message }, () => 'unknown')
    if (isRefused) return end(held, { status: MEITUAN_TASK_STATE.failed, error: message }, () => 'alone')
    return again(held, { error: message, ...(error.isUndone && { status: MEITUAN_TASK_STATE.asked }) })
  }
}

async function listTaskNumbers({ connection: { calls, code } }: ClaimedTask): Promise<string[]> {
  const { data } = await calls.tasks(code)
  return (data as { task_id: unknown }[]).map((one) => String(one.task_id))
}

/** Finds the number of a batch whose answer was lost: one that was not `known` before and is in no other row. */
async function numberOf(held: ClaimedTask): Promise<string | undefined> {
  const known = new Set((held.row.known as string[] | null) ?? [])
  const news = (await listTaskNumbers(held)).filter((one) => !known.has(one))
  const taken = await unit(held, (db) =>
    db.query<{ taskId: string }>(sql`select task_id from meituan_task where tenant_id = ${db.tenantId}
      and task_id = any(${news})`),
  )
  return news.find((one) => !taken.some(({ taskId }) => taskId === one))
}

/**
 * Submits a batch. Only one of a shop is sent at a time, so that an unknown number can only be that of a lost answer.
 */
async function handOver(held: ClaimedTask): Promise<void> {
  const { row, connection, services } = held
  if (row.status === MEITUAN_TASK_STATE.sent) {
    const taskNo = await numberOf(held)
    if (taskNo) return again(held, { status: MEITUAN_TASK_STATE.running, taskId: taskNo, error: null })
    if (services.now().getTime() - sinceOf(row) < REQUEST_LOST_MS) return again(held)
  }
  const work = row.taskType as MeituanTaskKind
  const ones = await unit(held, (db) => findMeituanTaskItems(db, row.id))
  const food: object[] = []
  for (const one of ones) food.push(await toMeituanTaskItem(connection, work, one))
  const known = await listTaskNumbers(held)
  const sent = { status: MEITUAN_TASK_STATE.sent, sentTime: formatShanghaiTime(services.now()), known, error: null }
  const isOurs = await unit(held, (db) => markSent(db, row, sent))
  if (!isOurs) return again(held)
  held.row = { ...row, ...sent }
  const { taskNo, failed } = await connection.calls.handOver(connection.code, work, food)
  if (taskNo) return again(held, { status: MEITUAN_TASK_STATE.running, taskId: taskNo })
  await close(held, failed, failed.length)
}

/** Marks a batch as sent. Returns false while another batch of the shop was sent and its number is not known yet. */
async function markSent(db: Db, { id, meituanShopId }: Task, sent: Partial<Task>): Promise<boolean> {
  await db.advisoryLock(`meituan task/${meituanShopId}`)
  const other = await db.one(sql`select 1 from meituan_task where tenant_id = ${db.tenantId}
    and meituan_shop_id = ${meituanShopId} and status = ${MEITUAN_TASK_STATE.sent} and id <> ${id} limit 1`)
  if (other) return false
  await updateTask(db, id, sent)
  return true
}

async function checkTask(held: ClaimedTask): Promise<void> {
  const { data } = await held.connection.calls.task(held.row.taskId!)
  if (Number(data.status) === TASK_RUNNING) return again(held)
  const failed = ((data.error_list ?? []) as Record<string, any>[]).map(toMeituanItemFailure)
  const link = data.task_detail_link ? String(data.task_detail_link).slice(0, 500) : null
  await close(held, failed, Number(data.failed ?? failed.length), link)
}

/**
 * Records the outcome of each product. When more failed than the answer names, those not named are synced one by one.
 */
async function close(
  held: ClaimedTask,
  parts: readonly MeituanItemFailure[],
  count: number,
  detailLink: string | null = null,
) {
  const { row, shop } = held
  const rows = await unit(held, (db) =>
    db.query<{ id: string; name: string; code: string }>(sql`select id, name,
        coalesce(platform_sku_id, good_id::text) as code from meituan_sku_info where tenant_id = ${db.tenantId}
        and meituan_shop_id = ${shop.id} and coalesce(platform_sku_id, good_id::text)
          = any(${parts.map(({ appSpuCode }) => appSpuCode)})`),
  )
  const named = new Map(
    rows.map((one) => [one.id, { ...one, part: parts.find((part) => part.appSpuCode === one.code)! }]),
  )
  const failures = [...named.values()].map(({ id, name, part }): TaskFailure => ({
    skuId: id,
    name,
    reason: part.message || part.code,
    field: MEITUAN_FIELD_BY_ERROR_CODE[part.code] ?? null,
  }))
  const isComplete = count <= parts.length
  const fateOf: Fate = (id) => {
    const part = named.get(id)?.part
    return part ? createMeituanError(part.code, part.message) : isComplete ? 'done' : 'unknown'
  }
  const status = !count
    ? MEITUAN_TASK_STATE.done
    : count < row.total!
      ? MEITUAN_TASK_STATE.partly
      : MEITUAN_TASK_STATE.failed
  await end(held, { status, success: row.total! - count, failed: count, failures, detailLink, error: null }, fateOf)
}

/** Ends a batch. Products first: after a crash this is repeated, and finished ones stay as they are. */
async function end(held: ClaimedTask, patch: Partial<Task>, fateOf: Fate): Promise<void> {
  const { services, tenantId, row, shop } = held
  await finishBatch(
    services,
    tenantId,
    { platform: meituanDeliveryPlatform, family: meituanSyncedGoods, taskId: row.id, shop },
    fateOf,
  )
  await unit(held, (db) => updateTask(db, row.id, { ...patch, finishTime: formatShanghaiTime(services.now()) }))
}
