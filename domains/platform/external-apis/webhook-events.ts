import type { LoggedExternalCall } from '#domains/platform/logs/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob, serve } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSlot } from '#kit/server/base/slots.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition, transition } from '#kit/server/resource/transition.ts'
import { VENDOR_EVENT_STATE, vendorEvent } from './vendor-event.resource.ts'

const ATTEMPTS = 8
const handleWebhookEventQueue = defineQueue<{ id: string }>('vendor.event', { maxAttempts: ATTEMPTS })

type KeptEvent = {
  system: LoggedExternalCall['system']
  /** The vendor's event type. */
  kind: string
  /** Identifies the message: the vendor's message id, or a hash of its bytes. */
  eventKey: string
  /** The number users search for, such as an order's or application's. */
  subject?: string
  /** The message after verification, decrypted if it was encrypted. */
  body: string
}

type HandlerContext = { tenantId: string; services: Services; signal: AbortSignal }

/**
 * Handles a webhook message. May call other systems and must tolerate repetition. The function it returns runs in the
 * transaction that marks the message as handled, and so takes effect once. If it throws, it is retried later.
 */
export type WebhookHandler = (
  event: { id: string; kind: string; subject: string; body: string },
  context: HandlerContext,
) => Promise<((db: Db) => Promise<void>) | void>

const handlers = defineSlot<Record<string, WebhookHandler>>('vendorEventHandlers')

/** Registers the handler of a system's webhooks, when its module starts. */
export const registerWebhookHandler = (
  services: Services,
  system: LoggedExternalCall['system'],
  handler: WebhookHandler,
): void => services.slots.add(handlers, system, handler)

/**
 * Stores a verified message and enqueues its handling in the caller's transaction; acknowledge it after the commit.
 * Only counts a message that is known already. Returns whether it was new.
 */
export async function storeWebhookEvent(db: Db, event: KeptEvent): Promise<boolean> {
  const { system, kind, eventKey, subject = '', body } = event
  const id = newId()
  const kept = await db.one<{ id: string }>(sql`
    insert into vendor_event (id, tenant_id, system, kind, subject, event_key, state, body, times)
    values (${id}, ${db.tenantId}, ${system}, ${kind.slice(0, 64)}, ${subject.slice(0, 64)}, ${eventKey},
      ${VENDOR_EVENT_STATE.received}, ${body}, 1)
    on conflict (tenant_id, system, event_key)
    do update set times = vendor_event.times + 1, update_time = now() returning id`)
  const isNew = kept?.id === id
  if (isNew) await db.enqueue(handleWebhookEventQueue, { id }, { key: id })
  return isNew
}

async function finishWebhookEvent(
  services: Services,
  tenantId: string,
  id: string,
  act: (db: Db) => Promise<void>,
): Promise<void> {
  await services.unit({ tenantId }, async (db) => {
    const row = await db.get(vendorEvent, id, 'forUpdate')
    if (!row || row.state === VENDOR_EVENT_STATE.done) return
    await act(db)
  })
}

export const handleWebhookEventJob = defineModuleJob({
  queue: handleWebhookEventQueue,
  concurrency: 8,
  timeoutSeconds: 120,
  run: async ({ id }, { tenantId, services, signal, attempt }) => {
    const row = await services.unit({ tenantId }, (db) => db.get(vendorEvent, id))
    const handler = row && services.slots.find(handlers)?.[row.system!]
    if (!row || row.state === VENDOR_EVENT_STATE.done || !handler) return
    try {
      const event = { id, kind: row.kind!, subject: row.subject ?? '', body: row.body! }
      const act = await handler(event, { tenantId, services, signal })
      await finishWebhookEvent(services, tenantId, id, async (db) => {
        await act?.(db)
        const handledTime = formatShanghaiTime(services.now())
        await transition(db, vendorEvent, id, 'finish', { handledTime, failReason: null })
      })
    } catch (error) {
      const failReason = error instanceof Error ? error.message.slice(0, 500) : ''
      await finishWebhookEvent(services, tenantId, id, async (db) => {
        await transition(
          db,
          vendorEvent,
          id,
          'fail',
          { failReason },
          { to: attempt >= ATTEMPTS ? 'failed' : 'received' },
        )
      })
      throw error
    }
  },
})

export const vendorEventServer = serve(vendorEvent, {
  without: ['submit', 'remove'],
  actions: {
    again: async (row, _input, call) => {
      const { db } = call
      await requireTransition(call, vendorEvent, row.id, 'again')
      await db.enqueue(handleWebhookEventQueue, { id: row.id }, { key: row.id })
      return { id: row.id }
    },
  },
})
