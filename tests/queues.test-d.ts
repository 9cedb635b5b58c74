// Checked by the type checker alone: each line below is a wrong use of a queue that must not compile.
import type { Db } from '#kit/server/database/db.ts'
import { enqueueSql } from '#kit/server/database/enqueue.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModule, defineModuleJob } from '#kit/server/module/module.ts'

const label = { zh: '名称', en: 'Name' }
const receiptQueue = defineQueue<{ orderId: string; copies?: number }>('test.receipt', { maxAttempts: 3 })
const nightQueue = defineQueue('test.night')
const run = async () => undefined

export const right = [
  defineModuleJob({ queue: receiptQueue, run: async ({ orderId, copies = 1 }) => void `${orderId}${copies + 1}` }),
  defineModuleJob({ queue: nightQueue, cron: '0 3 * * *', run: async (_none, { services }) => void services.now() }),
]

export async function wrongUseOfQueues(db: Db): Promise<void> {
  await db.enqueue(receiptQueue, { orderId: '1' }, { key: '1' })
  await db.enqueue(nightQueue, {})
  // @ts-expect-error a queue is declared, never a name
  await db.enqueue('test.receipt', { orderId: '1' })
  // @ts-expect-error a payload without what its job needs
  await db.enqueue(receiptQueue, {})
  // @ts-expect-error a key the payload does not have
  await db.enqueue(receiptQueue, { orderId: '1', copys: 2 })
  // @ts-expect-error a key misspelt
  await db.enqueue(receiptQueue, { orderID: '1' })
  // @ts-expect-error a number for an id
  await db.enqueue(receiptQueue, { orderId: 1 })
  // @ts-expect-error an id that may be missing
  await db.enqueue(receiptQueue, { orderId: null as string | null })
  // @ts-expect-error a payload for a queue that takes none
  await db.enqueue(nightQueue, { orderId: '1' })
  // @ts-expect-error attempts are the queue's, not the caller's
  await db.enqueue(receiptQueue, { orderId: '1' }, { maxAttempts: 3 })
  // @ts-expect-error a time as text
  await db.enqueue(receiptQueue, { orderId: '1' }, { runAt: '2026-11-29' })
  // @ts-expect-error a wrong payload in a statement sent with others
  db.beforeCommit(enqueueSql(receiptQueue, { order: '1' }, { tenantId: db.tenantId }))
}

// @ts-expect-error a date comes back from JSON as text
defineQueue<{ at: Date }>('test.date')

// @ts-expect-error a payload that is no object
defineQueue<string>('test.text')

// @ts-expect-error a bound queues do not have
defineQueue('test.bounds', { attempts: 3 })

// @ts-expect-error a handler of a mere name
defineModuleJob({ queue: 'test.receipt', run })

// @ts-expect-error a handler that reads what the payload does not have
defineModuleJob({ queue: receiptQueue, run: async ({ refundId }) => void refundId })

// @ts-expect-error a handler of another payload
defineModuleJob({ queue: receiptQueue, run: async ({ orderId }: { orderId: number }) => void orderId })

// @ts-expect-error a schedule for a queue that needs a payload
defineModuleJob({ queue: receiptQueue, cron: '0 3 * * *', run })

// @ts-expect-error a queue without handler
defineModuleJob({ queue: nightQueue })

// @ts-expect-error a queue where a job belongs
defineModule({ name: 'module', label, jobs: [receiptQueue] })
