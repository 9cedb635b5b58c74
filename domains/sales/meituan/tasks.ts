import { sql, type Db } from '#kit/server/database/db.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import type { BatchItem, Row } from '#domains/sales/delivery-platforms/api.ts'
import { TASK } from './dictionaries.ts'
import { meituanTask } from './meituan-task.resource.ts'

export const TASK_QUEUE = 'meituan.task'

/** What was not done of a task, by goods: why, and the field that is meant. */
export type TaskFailure = { skuId: string; name: string; reason: string; field: string | null }

/** Goes on with a task, once for all that ask meanwhile. */
export const taskLater = (db: Db, id: string, runAt?: Date): Promise<void> =>
  db.enqueue(TASK_QUEUE, { id }, { key: id, ...(runAt && { runAt }) })

/** Writes down that goods are to be handed over together; the job sends it after the commit. */
export async function beginTask(db: Db, shop: Row, taskType: string, ones: readonly BatchItem[]): Promise<string> {
  const row = await db.insert(meituanTask, {
    meituanShopId: shop.id,
    shopId: shop.shopId as string,
    taskType,
    status: TASK.asked,
    total: ones.length,
    success: 0,
    failed: 0,
  })
  await taskLater(db, row.id)
  publishChanged({ db }, meituanTask, [row])
  return row.id
}

/** What of a task is still handed over, with what was confirmed before. */
export const handedIn = (db: Db, taskId: string): Promise<BatchItem[]> =>
  db.query<BatchItem>(sql`select row_id as id, asked as facts, told as was from platform_step
    where tenant_id = ${db.tenantId} and task_id = ${taskId} order by row_id`)
