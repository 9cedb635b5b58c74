import { isDeepStrictEqual } from 'node:util'
import type { Field, Resource } from '#kit/resource/index.ts'
import { toSqlName } from '#kit/resource/define-resource.ts'
import { empty, join, raw, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { VendorError } from '#domains/platform/external-apis/api.ts'
import { findPlatformAccount } from './accounts.ts'
import { resolveDifferencesOfRow } from './differences.ts'
import { SYNC_STATE } from './dictionaries.ts'
import type { PlatformFields, BatchItem, PlatformRowPatch, Platform, PlatformRow, SyncedResource } from './platform.ts'
import { enqueueSync } from './enqueue-sync.ts'

type AnySyncedResource = SyncedResource<any>
/** A row with the values the platform should have and those it confirmed last (null for none). */
type Now = { row: PlatformRow; facts: PlatformFields; was: PlatformFields | null }
/** What a sync of one shop works with; `thereId` is our row of that shop. */
type Work = { services: Services; tenantId: string; platform: Platform; thereId: string; connection: unknown }
/** `rest`: the platform cannot be reached now, so the other rows wait as well. */
type SyncOutcome = 'brought' | 'refused' | 'rest'

const ROWS_AT_ONCE = 50
const HANDED_AT_ONCE = 600
/** Longest pause before a retry, in seconds: a platform that is back is in sync again within half a minute. */
const REST_MAX_S = 20
const WORDS_MAX = 500

const tableOf = (resource: Resource<any, any>): Sql => raw(`"${resource.table}"`)
const plain = (facts: unknown): PlatformFields => JSON.parse(JSON.stringify(facts)) as PlatformFields
const unitOf = <T>({ services, tenantId }: Work, run: (db: Db) => Promise<T>): Promise<T> =>
  services.unit({ tenantId }, run)

/** SQL of the shop that a row belongs to; for the shop's own row its id. */
const shopOf = ({ shop, shopKey }: Platform, { resource }: AnySyncedResource): Sql =>
  raw(resource === shop ? 'r.id' : `r."${toSqlName(shopKey)}"`)

/** SQL of rows that may be tried now: waiting rows, and rows removed here that the platform still has. */
const waitingSql = (platform: Platform, synced: AnySyncedResource, tenantId: string, now: Date): Sql => sql`
  from ${tableOf(synced.resource)} r
  left join platform_step s on s.tenant_id = r.tenant_id and s.row_id = r.id
  where r.tenant_id = ${tenantId} and (r.is_deleted = 0 and r.sync_status = ${SYNC_STATE.waiting}
    ${synced.removeRow ? sql`or r.is_deleted = 1 and s.told is not null` : empty})
    and s.task_id is null and (s.next_time is null or s.next_time <= ${now.toISOString()})`

/** Shops of a tenant at a platform where something waits. */
export async function shopsToSync(db: Db, platform: Platform, now: Date): Promise<string[]> {
  const found = new Set<string>()
  for (const synced of platform.resources) {
    const rows = await db.query<{ thereId: string }>(
      sql`select distinct ${shopOf(platform, synced)} as there_id ${waitingSql(platform, synced, db.tenantId, now)}`,
    )
    for (const { thereId } of rows) found.add(thereId)
  }
  return [...found]
}

/**
 * Syncs a shop's rows to its platform, one resource after the other, until none is left to try now. Calls `mayGoOn`
 * between rows. Returns false when that stopped it.
 */
export async function syncShop(
  services: Services,
  tenantId: string,
  platform: Platform,
  platformShopId: string,
  mayGoOn: () => Promise<boolean>,
): Promise<boolean> {
  const found = await services.unit({ tenantId }, async (db) => {
    const shop = (await db.get(platform.shop, platformShopId)) as PlatformRow | undefined
    return { shop, account: await findPlatformAccount(db, services, platform.name) }
  })
  // Without an account everything waits until there is one.
  if (!found.shop || !found.account) return true
  const connection = platform.connect(services, found.account, found.shop)
  const work: Work = { services, tenantId, platform, thereId: platformShopId, connection }
  for (const synced of platform.resources) {
    await unitOf(work, (db) => submitBatch(db, work, synced))
    for (;;) {
      const ids = await unitOf(work, (db) => waitingIn(db, work, synced))
      if (!ids.length) break
      for (const one of ids) {
        if (!(await mayGoOn())) return false
        const outcome = one.isGone ? await dropRow(work, synced, one) : await bringRow(work, synced, one.id)
        if (outcome === 'rest') return true
      }
    }
    // Until the shop itself is at the platform, nothing in it can be.
    if (synced.resource === platform.shop && !(await unitOf(work, (db) => isShopOnPlatform(db, work)))) return true
  }
  return true
}

type PendingRow = { id: string; isGone: boolean; told: PlatformFields | null }

const waitingIn = (db: Db, { platform, thereId, services }: Work, synced: AnySyncedResource): Promise<PendingRow[]> =>
  db.query<PendingRow>(
    sql`select r.id, r.is_deleted = 1 as is_gone, s.told ${waitingSql(platform, synced, db.tenantId, services.now())}
      and ${shopOf(platform, synced)} = ${thereId} order by r.update_time, r.id limit ${ROWS_AT_ONCE}`,
  )

async function isShopOnPlatform(db: Db, { platform, thereId }: Work): Promise<boolean> {
  const shop = (await db.get(platform.shop, thereId)) as PlatformRow | undefined
  return !!shop?.platformShopId
}

/** Submits rows with the same kind of change as batches; other rows are synced one by one. */
async function submitBatch(db: Db, { platform, thereId, services }: Work, synced: AnySyncedResource): Promise<void> {
  const { together } = synced
  if (!together) return
  const waiting = await db.query<{ id: string; asked: PlatformFields | null }>(
    sql`select r.id, s.asked ${waitingSql(platform, synced, db.tenantId, services.now())}
      and r.is_deleted = 0 and ${shopOf(platform, synced)} = ${thereId}
      order by r.update_time, r.id limit ${HANDED_AT_ONCE}`,
  )
  if (waiting.length < Math.min(...Object.values(together.least))) return
  const works = new Map<string, BatchItem[]>()
  for (const { id, asked } of waiting) {
    const now = await readNow(db, synced, id)
    // A row that failed in a batch is sent alone; one already confirmed is not sent.
    if (!now || isDeepStrictEqual(now.facts, asked) || isDeepStrictEqual(now.facts, now.was)) continue
    const name = together.workOf(now.facts, now.was)
    if (name) works.set(name, [...(works.get(name) ?? []), { id, facts: now.facts, was: now.was }])
  }
  const shop = (await db.get(platform.shop, thereId)) as PlatformRow | undefined
  if (!shop?.platformShopId && synced.resource !== platform.shop) return
  for (const [name, all] of works)
    for (let from = 0; from + together.least[name]! <= all.length; from += together.most) {
      const ones = all.slice(from, from + together.most)
      const taskId = await together.begin(db, shop!, name, ones)
      for (const { id, facts } of ones)
        await db.run(sql`insert into platform_step (tenant_id, row_id, asked, task_id)
          values (${db.tenantId}, ${id}, ${JSON.stringify(facts)}::jsonb, ${taskId})
          on conflict (tenant_id, row_id) do update set asked = excluded.asked, task_id = excluded.task_id`)
    }
}

/**
 * Records the outcome of each row of a batch: done, refused with its own message, or unknown, which sends the row
 * again, alone. One transaction per row, because sales lock these rows in any order.
 */
export async function finishBatch(
  services: Services,
  tenantId: string,
  {
    platform,
    family,
    taskId,
    shop,
  }: { platform: Platform; family: AnySyncedResource; taskId: string; shop: PlatformRow },
  fateOf: (id: string) => 'done' | 'alone' | 'unknown' | VendorError,
): Promise<void> {
  const work: Work = { services, tenantId, platform, thereId: shop.id, connection: undefined }
  const ids = await unitOf(work, (db) =>
    db.query<{ id: string }>(sql`select row_id as id from platform_step
    where tenant_id = ${tenantId} and task_id = ${taskId} order by row_id`),
  )
  for (const { id } of ids) await unitOf(work, (db) => endOne(db, work, family, { id, taskId, fate: fateOf(id) }))
  if (ids.length) await unitOf(work, (db) => enqueueSync(db, services.now()))
}

type Ended = { id: string; taskId: string; fate: 'done' | 'alone' | 'unknown' | VendorError }

async function endOne(db: Db, work: Work, synced: AnySyncedResource, { id, taskId, fate }: Ended): Promise<void> {
  const row = (await db.get(synced.resource, id, 'forUpdate')) as PlatformRow | undefined
  const [step] = await db.query<{ asked: PlatformFields }>(sql`update platform_step set task_id = null,
      told = ${fate === 'unknown' ? sql`null` : sql`told`} where tenant_id = ${db.tenantId} and row_id = ${id}
      and task_id = ${taskId} returning asked`)
  if (!step || fate === 'alone' || fate === 'unknown') return
  if (fate !== 'done') return void (await noteFailure(db, work, synced, { id, facts: step.asked }, fate))
  // Removed meanwhile: the platform has it all the same, so the next step is to remove it there.
  if (row)
    await recordConfirmed(db, work, synced, { row, facts: step.asked, was: null }, synced.together!.done(step.asked))
  else await keepStep(db, id, step.asked)
}

async function bringRow(work: Work, synced: AnySyncedResource, id: string): Promise<SyncOutcome> {
  const now = await unitOf(work, (db) => readNow(db, synced, id))
  if (!now) return 'brought'
  try {
    const isKnown = now.was && isDeepStrictEqual(now.facts, now.was)
    const patch = isKnown ? undefined : await synced.pushRow(work.connection, now)
    await unitOf(work, (db) => recordConfirmed(db, work, synced, now, patch ?? {}))
    return 'brought'
  } catch (error) {
    return unitOf(work, (db) => noteFailure(db, work, synced, { id, facts: now.facts }, error))
  }
}

async function readNow(db: Db, synced: AnySyncedResource, id: string): Promise<Now | undefined> {
  const row = (await db.get(synced.resource, id)) as PlatformRow | undefined
  if (!row) return undefined
  const step = await db.one<{ told: PlatformFields | null }>(
    sql`select told from platform_step where tenant_id = ${db.tenantId} and row_id = ${id}`,
  )
  return { row, facts: plain(await synced.desiredFields(db, row)), was: step?.told ?? null }
}

/**
 * Stores the confirmed values. The row is in sync only if its values are still the same; changed meanwhile, it keeps
 * waiting.
 */
async function recordConfirmed(
  db: Db,
  work: Work,
  synced: AnySyncedResource,
  { row, facts }: Now,
  patch: PlatformRowPatch,
): Promise<void> {
  const { resource } = synced
  const is = (await db.get(resource, row.id, 'forUpdate')) as PlatformRow | undefined
  await keepStep(db, row.id, facts)
  if (!is) return
  const isSame = isDeepStrictEqual(plain(await synced.desiredFields(db, is)), facts)
  if (isSame && resource === work.platform.parity.goods) await resolveDifferencesOfRow(db, row.id, work.services.now())
  const columns = {
    ...(typeof patch === 'function' ? patch(is) : patch),
    syncStatus: isSame ? SYNC_STATE.done : SYNC_STATE.waiting,
    syncTime: formatShanghaiTime(work.services.now()),
    // An error reported meanwhile stays.
    syncError: is.syncError === row.syncError ? null : is.syncError,
  }
  await setColumns(db, resource, row.id, columns)
  publishRowsChanged({ db }, resource, [is])
}

const keepStep = (db: Db, id: string, confirmed: PlatformFields | null) =>
  db.run(sql`insert into platform_step (tenant_id, row_id, told)
    values (${db.tenantId}, ${id}, ${confirmed && JSON.stringify(confirmed)}::jsonb)
    on conflict (tenant_id, row_id) do update set told = excluded.told, asked = null, tries = 0, next_time = null,
      problem_field = null`)

/** Does not increase the row's `version`: sync columns are no user edit, and an open form stays valid. */
const setColumns = (db: Db, resource: Resource<any, any>, id: string, columns: PlatformFields) =>
  db.run(
    sql`update ${tableOf(resource)} set ${join(
      Object.entries(columns).map(([key, value]) => sql`${raw(`"${toSqlName(key)}"`)} = ${value}`),
    )} where tenant_id = ${db.tenantId} and id = ${id}`,
  )

async function dropRow(work: Work, synced: AnySyncedResource, { id, told }: PendingRow): Promise<SyncOutcome> {
  try {
    await synced.removeRow!(work.connection, told!)
  } catch (error) {
    if (error instanceof VendorError && error.isRetryable)
      return unitOf(work, (db) => noteFailure(db, work, synced, { id, facts: told! }, error))
    if (!(error instanceof VendorError)) throw error
    // Gone already or impossible to remove: nothing is left to do.
  }
  await unitOf(work, async (db) => {
    await keepStep(db, id, null)
    // Restored from the recycle bin meanwhile: it must be created at the platform again.
    await db.run(sql`update ${tableOf(synced.resource)} set sync_status = case
      when is_deleted = 1 then ${SYNC_STATE.not}::int
      else ${SYNC_STATE.waiting}::int end where tenant_id = ${db.tenantId} and id = ${id}`)
  })
  return 'brought'
}

/** The platform's message, preceded by the label of the field it is about where that is known. */
function wordsOf(
  { resource, fieldOf }: AnySyncedResource,
  { code, message }: VendorError,
): { words: string; field: string | null } {
  const key = fieldOf?.[code]
  const field = key ? (resource.fields[key] as Field | undefined) : undefined
  const words = field ? `${field.label.zh}：${message}` : message
  return { words: words.slice(0, WORDS_MAX), field: field ? key! : null }
}

async function noteFailure(
  db: Db,
  work: Work,
  synced: AnySyncedResource,
  { id, facts }: { id: string; facts: PlatformFields },
  error: unknown,
): Promise<SyncOutcome> {
  if (!(error instanceof VendorError)) throw error
  const { resource } = synced
  const is = (await db.get(resource, id, 'forUpdate')) as PlatformRow | undefined
  const { words, field } = wordsOf(synced, error)
  if (error.isRetryable) {
    const next = await restAfter(db, id, work.services.now())
    if (is) await setColumns(db, resource, id, { syncError: words })
    await enqueueSync(db, next)
  } else if (is && isDeepStrictEqual(plain(await synced.desiredFields(db, is)), facts)) {
    await setColumns(db, resource, id, { syncStatus: SYNC_STATE.failed, syncError: words })
    await db.run(sql`insert into platform_step (tenant_id, row_id, problem_field)
      values (${db.tenantId}, ${id}, ${field}) on conflict (tenant_id, row_id)
      do update set problem_field = excluded.problem_field, tries = 0, next_time = null`)
  }
  if (is) publishRowsChanged({ db }, resource, [is])
  return error.isRetryable ? 'rest' : 'refused'
}

/** Postpones the next try of a row with growing pauses. Returns its time. */
async function restAfter(db: Db, id: string, now: Date): Promise<Date> {
  const step = await db.one<{ tries: number }>(
    sql`insert into platform_step (tenant_id, row_id, tries) values (${db.tenantId}, ${id}, 1)
      on conflict (tenant_id, row_id) do update set tries = platform_step.tries + 1 returning tries`,
  )
  const next = new Date(now.getTime() + Math.min(2 ** (step!.tries - 1), REST_MAX_S) * 1_000)
  await db.run(sql`update platform_step set next_time = ${next.toISOString()} where tenant_id = ${db.tenantId}
    and row_id = ${id}`)
  return next
}
