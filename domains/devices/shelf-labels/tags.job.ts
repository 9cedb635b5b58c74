import type { Sql } from 'sql-template-tag'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'
import { pushTagsByProvider, watchTagStates } from './push-by-provider.ts'
import { tagProviderPushQueue, enqueueTagProviderPush, tagPushQueue } from './push-later.ts'
import { pushTags } from './push-tags.ts'
import { recordTagFailure, updateLostTagsEvent, type TagReport } from './tag-outcomes.ts'

/** Tags report every quarter of an hour; after three missed reports a tag is lost. */
const LOST_MS = 3 * 15 * 60_000
/** Longer than a batch takes. After that, an update without a result has failed. */
const SENT_MS = 5 * 60_000
/** Longer than tags of an access point sleep between two checks for updates. */
const TAKEN_MS = 20 * 60_000

export const pushTagsJob = defineModuleJob({
  queue: tagPushQueue,
  run: async (_payload, { tenantId, services }) => {
    await services.unit({ tenantId }, (db) => pushTags(db, services))
  },
})

/** How long one job follows an account's updates. After that, the job of every minute checks them. */
const LISTEN_MS = 25_000
/** Polling interval while updates are open. */
const ASK_MS = 5_000

export const pushTagsByProviderJob = defineModuleJob({
  queue: tagProviderPushQueue,
  // Enough that some accounts that hang do not hold up the others.
  concurrency: 16,
  run: ({ accountId }, { tenantId, services, signal }) => pushUntilDone(services, { tenantId, accountId }, signal),
})

async function pushUntilDone(
  services: Services,
  about: { tenantId: string; accountId: string },
  signal: AbortSignal,
): Promise<void> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(LISTEN_MS)])
  const ear = new AbortController()
  let stateChange = Promise.withResolvers<void>()
  const wake = () => stateChange.resolve()
  const push = () => pushTagsByProvider(services, about.tenantId, about.accountId)
  try {
    let left = await push()
    if (left?.open) await watchTagStates(services, about, wake, AbortSignal.any([over, ear.signal]))
    over.addEventListener('abort', wake)
    while (left?.open && !over.aborted) {
      const timer = setTimeout(wake, ASK_MS)
      if (!left.unwritten) await stateChange.promise
      clearTimeout(timer)
      stateChange = Promise.withResolvers()
      left = await push()
    }
  } finally {
    ear.abort()
  }
}

/** Every minute: retries tags, marks silent ones as lost, and continues what an ended process left. */
export const maintainTagsJob = defineModuleJob({
  queue: defineQueue('tags.watch'),
  cron: '* * * * *',
  run: (_payload, { services }) => maintainTags(services),
})

export async function maintainTags(services: Services): Promise<void> {
  const now = services.now()
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  const tenants = await services.unit(
    { crossTenantReason: 'price tags of all tenants that wait or fell silent' },
    (db) =>
      db.query<{ tenantId: string }>(sql`
      select tenant_id from price_tag where is_deleted = 0 and status = ${PRICE_TAG_STATE.waiting}
        and next_time <= ${now.toISOString()}
      union select tenant_id from price_tag where is_deleted = 0 and status = ${PRICE_TAG_STATE.sent}
        and sent_time < ${before(SENT_MS)}
      union select tenant_id from price_tag where is_deleted = 0 and status <> ${PRICE_TAG_STATE.unbound}
        and last_report_time < ${before(LOST_MS)}`),
  )
  await askCarriers(services, now)
  for (const { tenantId } of tenants) {
    await services.unit({ tenantId }, (db) => giveUpSent(db, now, { sent: before(SENT_MS), taken: before(TAKEN_MS) }))
    await services.unit({ tenantId }, (db) => markLost(db, before(LOST_MS)))
    await services.unit({ tenantId }, (db) => pushTags(db, services))
  }
}

/** Queues a job for each account that is not paused, to ask for the state of its tags. */
const askCarriers = (services: Services, now: Date) =>
  services.unit({ crossTenantReason: 'accounts at carriers of price tags' }, async (all) => {
    const accounts = await all.query<{ tenantId: string; id: string }>(sql`select tenant_id, id from tag_account
      where enabled and is_deleted = 0 and (rest_until is null or rest_until <= ${now.toISOString()})`)
    for (const { tenantId, id } of accounts) await all.asTenant(tenantId, (db) => enqueueTagProviderPush(db, id))
  })

async function giveUpSent(db: Db, now: Date, limit: { sent: string; taken: string }): Promise<void> {
  const silent = await db.query<TagReport>(
    sql`select id, tag_id, wanted_hash as hash from price_tag where tenant_id = ${db.tenantId} and is_deleted = 0
      and status = ${PRICE_TAG_STATE.sent} and (account_id is null and sent_time < ${limit.sent}
        or account_id is not null and taken_time < ${limit.taken}) order by id for update`,
  )
  for (const silentTag of silent) await recordTagFailure(db, silentTag, now, 'timeout')
}

/** Marks silent tags as lost, if their gateway or provider was available long enough to hear them. */
async function markLost(db: Db, limit: string): Promise<void> {
  const lostAt = (of: Sql, exists: Sql) =>
    db.query<{ shopId: string }>(sql`
      update price_tag t set status = ${PRICE_TAG_STATE.lost}, next_time = null, command_id = null,
        version = t.version + 1
      ${of}
      where t.tenant_id = ${db.tenantId} and t.is_deleted = 0 and t.status not in (${PRICE_TAG_STATE.unbound},
        ${PRICE_TAG_STATE.lost})
      and t.last_report_time < ${limit} and ${exists} returning t.shop_id`)
  const lost = [
    ...(await lostAt(
      sql`from device_link l`,
      sql`l.tenant_id = t.tenant_id and l.id = coalesce(t.gateway_id, t.shop_id)
        and l.state = 'online' and l.state_time < ${limit} and t.account_id is null`,
    )),
    ...(await lostAt(
      sql`from tag_account a`,
      sql`a.tenant_id = t.tenant_id and a.id = t.account_id and a.state = 'well' and a.well_since < ${limit}`,
    )),
  ]
  for (const shopId of new Set(lost.map((one) => one.shopId))) await updateLostTagsEvent(db, shopId)
}
