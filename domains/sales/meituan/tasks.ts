import { sql, type Db } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { BatchItem, PlatformRow } from '#domains/sales/delivery-platforms/api.ts'
import { MEITUAN_TASK_STATE } from './dictionaries.ts'
import { meituanTask } from './meituan-task.resource.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'

export const meituanTaskQueue = defineQueue<{ id: string }>('meituan.task')

/** A product of a batch that failed: the reason, and our field it is about. */
export type TaskFailure = { skuId: string; name: string; reason: string; field: string | null }

/** Enqueues the job of a batch, once for all concurrent requests. */
export const enqueueMeituanTask = (db: Db, id: string, runAt?: Date): Promise<void> =>
  db.enqueue(meituanTaskQueue, { id }, { key: id, ...(runAt && { runAt }) })

/** Stores a batch of products; its job submits it after the commit. Returns its id. */
export async function createMeituanTask(
  db: Db,
  shop: PlatformRow,
  taskType: string,
  ones: readonly BatchItem[],
): Promise<string> {
  const row = await db.insert(meituanTask, {
    meituanShopId: shop.id,
    shopId: shop.shopId as string,
    taskType,
    status: MEITUAN_TASK_STATE.asked,
    total: ones.length,
    success: 0,
    failed: 0,
  })
  await enqueueMeituanTask(db, row.id)
  publishRowsChanged({ db }, meituanTask, [row])
  return row.id
}

/** Items of a batch that are still open, with the values confirmed before. */
export const findMeituanTaskItems = (db: Db, taskId: string): Promise<BatchItem[]> =>
  db.query<BatchItem>(sql`select row_id as id, asked as facts, told as was from platform_step
    where tenant_id = ${db.tenantId} and task_id = ${taskId} order by row_id`)
