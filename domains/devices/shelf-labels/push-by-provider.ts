import { sql, type Db } from '#kit/server/database/db.ts'
import { processEachRow } from '#kit/server/database/each-alone.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import {
  EslRejectedError,
  EslUnreachableError,
  type EslTagUpdate,
  type EslProvider,
  type EslAccount,
  type EslWriteResult,
  type EslTagState,
} from './esl-provider.ts'
import { PRICE_TAG_STATE } from './dictionaries.ts'
import { parseBatteryMillivolts, recordTagReport, parseSignalDbm } from './tag-reports.ts'
import { enqueueTagPush } from './push-later.ts'
import { tagAccount } from './tag-account.resource.ts'
import { eslProviderOf, decryptTagAccount, type TagAccountRow } from './tag-accounts.ts'
import { TAG_UPDATE_BATCH_MAX } from './tag-commands.ts'
import type { TagContent } from './tag-content.ts'
import { recordTagFailure, recordUnreadableTag, recordTagShown, clearTagFault, type TagReport } from './tag-outcomes.ts'
import type { DrawnTag } from './tag-templates.ts'

type DesiredTag = TagReport & {
  hash: string
  wantedContent: TagContent & { drawn: DrawnTag }
  carrierMark: string | null
  lastReport: number | null
  isTaken: boolean
  /** The last error of this tag. */
  failReason: string | null
  /** Whether an update was handed to this process and has not arrived. */
  isOpen: boolean
  isKnown: boolean
}
/** `words`: how the provider identifies the picture once the tag shows it. */
type Carried = DesiredTag & EslTagUpdate & { words: string }

/** What one run needs for an account. */
type Work = { services: Services; row: TagAccountRow; carrier: EslProvider; account: EslAccount }
type TagStates = ReadonlyMap<string, EslTagState>

/** How many updates have not arrived, and how many of them the provider has not accepted. */
type Left = { open: number; unwritten: number }

/** How long a provider that does not answer is left alone, longer after each failure. */
const REST_MINUTES = [0.5, 1, 2, 5, 10]
/** How long a provider that rejects the credentials is left alone. Changed credentials are tried at once. */
const REFUSED_MINUTES = 15
const BUSY_MINUTES = 0.25
const MINUTE_MS = 60_000
const MESSAGE_MAX = 200

/**
 * Sends an account's waiting updates and records what became of earlier ones. Returns what is left, undefined when the
 * provider is unavailable or the account disabled.
 */
export async function pushTagsByProvider(
  services: Services,
  tenantId: string,
  accountId: string,
): Promise<Left | undefined> {
  const row = await services.unit({ tenantId }, (db) => db.get(tagAccount, accountId))
  if (!row?.enabled) return undefined
  const work: Work = { services, row, carrier: eslProviderOf(row), account: decryptTagAccount(services, row) }
  try {
    const left = await round(work)
    await unitOf(work, (db) => noteWell(db, work))
    return left
  } catch (error) {
    if (!(error instanceof EslUnreachableError || error instanceof EslRejectedError)) throw error
    await unitOf(work, (db) => noteAway(db, work, error))
    return undefined
  }
}

/** Calls `heard` when the provider reports a change, until the signal aborts. */
export async function watchTagStates(
  services: Services,
  { tenantId, accountId }: { tenantId: string; accountId: string },
  onChange: () => void,
  signal: AbortSignal,
): Promise<void> {
  const row = await services.unit({ tenantId }, (db) => db.get(tagAccount, accountId))
  if (row?.enabled) eslProviderOf(row).listen?.(decryptTagAccount(services, row), onChange, signal)
}

const unitOf = <T>({ services, row }: Work, run: (db: Db) => Promise<T>): Promise<T> =>
  services.unit({ tenantId: row.tenantId }, run)

async function round(work: Work): Promise<Left> {
  const { carrier, account } = work
  const all = await unitOf(work, (db) => tagsAt(db, work))
  const legible = await alone(work, all, (tag) => void (tag.words = carrier.wordsOf(account, tag)))
  let states = await carrier.states(account, legible)
  const tags = await alone(work, legible, async (tag) => {
    const state = states.get(tag.tagId)
    if (state?.odd) throw new Error(state.odd)
    if (state) await unitOf(work, (db) => noteState(db, work, tag, state))
  })
  const open = tags.filter((tag) => tag.isOpen && !hasArrived(tag, states))
  const due = open.filter((tag) => !tag.isTaken)
  // Accepted earlier, but the process died before it was recorded.
  const [pending, unwritten] = [true, false].map((is) => due.filter((tag) => isUpdatePending(tag, states) === is))
  for (const tag of pending!) await unitOf(work, (db) => noteTaken(db, work, tag))
  const batch = unwritten!.slice(0, TAG_UPDATE_BATCH_MAX)
  const stale = carrier.cancel ? batch.filter(({ tagId }) => states.get(tagId)?.pending) : []
  for (const tag of stale) await carrier.cancel!(account, tag)
  if (stale.length) states = await carrier.states(account, stale)
  // If the tag fetched the older picture at this moment, that would be taken for the new one.
  const ready = batch.filter((tag) => !stale.includes(tag) || !isBusy(states.get(tag.tagId)))
  if (ready.length) {
    await unitOf(work, (db) => noteMarks(db, ready, states))
    await carrier.write(account, ready, states, async (tag, result) => {
      await alone(work, [tag as Carried], (one) => unitOf(work, (db) => recordWriteResult(db, work, one, result)))
    })
  }
  return { open: open.length, unwritten: unwritten!.length - ready.length }
}

/** Returns whether an update is on its way to the tag, or its state is unreadable. */
const isBusy = (state: EslTagState | undefined): boolean => !!state?.pending || !!state?.odd

/** Handles each tag alone, so that an unreadable one does not stop the others. Its error is stored with the tag. */
const alone = <T extends Carried>(work: Work, tags: readonly T[], handle: (tag: T) => unknown): Promise<T[]> =>
  processEachRow(tags, {
    handle,
    failed: async (tag, reason, err) => {
      const { log, now } = work.services
      log.warn({ err, account: work.row.id, tag: tag.tagId }, 'A price tag could not be carried')
      await unitOf(work, (db) => recordUnreadableTag(db, tag, now(), reason))
    },
    isOfAll: (error) => error instanceof EslUnreachableError || error instanceof EslRejectedError,
  })

/** Returns whether the tag shows what it should, by the provider's report. */
function hasArrived(tag: Carried, states: TagStates): boolean {
  const state = states.get(tag.tagId)
  if (!state || isBusy(state)) return false
  return state.shows === tag.words || (tag.carrierMark !== null && state.count > Number(tag.carrierMark))
}

function isUpdatePending(tag: Carried, states: TagStates): boolean {
  const pending = states.get(tag.tagId)?.pending
  if (!pending) return false
  return pending.words === undefined ? tag.carrierMark !== null : pending.words === tag.words
}

/** Returns the account's tags to ask about: first those with an update open, then those not heard of for longest. */
async function tagsAt(db: Db, { row, carrier }: Work): Promise<Carried[]> {
  const found = await db.query<DesiredTag>(
    sql`select id, tag_id, wanted_hash as hash, wanted_content, carrier_mark, fail_reason,
      taken_time is not null as is_taken,
      (extract(epoch from last_report_time) * 1000)::float8 as last_report, status = ${PRICE_TAG_STATE.sent} as is_open,
      shown_hash is not distinct from wanted_hash as is_known
      from price_tag where tenant_id = ${db.tenantId} and account_id = ${row.id} and is_deleted = 0
      and status <> ${PRICE_TAG_STATE.unbound} and wanted_content is not null
      order by shown_hash is not distinct from wanted_hash, last_report_time nulls first, id
      limit ${carrier.statesMax}::int`,
  )
  return found.map((tag) => ({ ...tag, content: tag.wantedContent, drawn: tag.wantedContent?.drawn, words: '' }))
}

async function noteState(db: Db, work: Work, tag: Carried, state: EslTagState): Promise<void> {
  const now = work.services.now()
  const { seenAt } = state
  const [batteryMv, rssi] = [parseBatteryMillivolts(state.batteryMv), parseSignalDbm(state.rssi)]
  const at = seenAt && seenAt < now ? seenAt : now
  if (seenAt && at.getTime() > (tag.lastReport ?? 0))
    await recordTagReport(db, sql`id = ${tag.id}`, { batteryMv, rssi, at })
  if (tag.isKnown && tag.failReason) await clearTagFault(db, tag)
  if (tag.isKnown || !hasArrived(tag, new Map([[tag.tagId, state]]))) return
  await recordTagShown(db, tag, now)
  await db.run(sql`update price_tag set carrier_mark = null where tenant_id = ${db.tenantId} and id = ${tag.id}
    and wanted_hash = ${tag.hash}`)
}

/** Stores each tag's count before the update, by which its arrival is recognised. */
const noteMarks = (db: Db, tags: readonly Carried[], states: TagStates) =>
  db.run(sql`update price_tag t set carrier_mark = n.mark
    from jsonb_to_recordset(${JSON.stringify(
      tags.map(({ id, tagId, hash }) => ({ id, hash, mark: String(states.get(tagId)?.count ?? 0) })),
    )}::jsonb) as n(id bigint, hash text, mark text)
    where t.tenant_id = ${db.tenantId} and t.id = n.id and t.wanted_hash = n.hash`)

const noteTaken = (db: Db, { services }: Work, { id, hash }: Carried) =>
  db.run(sql`update price_tag set taken_time = ${services.now().toISOString()} where tenant_id = ${db.tenantId}
    and id = ${id} and wanted_hash = ${hash}`)

async function recordWriteResult(db: Db, work: Work, tag: Carried, result: EslWriteResult): Promise<void> {
  if (result.isTaken) await noteTaken(db, work, tag)
  else await recordTagFailure(db, tag, work.services.now(), result.reason)
}

/** Records that the provider works, and queues the updates that waited for it. */
async function noteWell(db: Db, { services, row }: Work): Promise<void> {
  const now = services.now()
  await db.run(sql`update tag_account set state = 'well', state_message = null, silences = 0, rest_until = null,
      seen_time = ${now.toISOString()}, well_since = coalesce(well_since, ${now.toISOString()}::timestamptz)
    where tenant_id = ${db.tenantId} and id = ${row.id} and version = ${row.version}`)
  if (row.state === 'well') return
  publishRowsChanged({ db }, tagAccount, [row])
  await enqueueTagPush(db, now)
}

/** Records that the provider is unavailable and pauses it. Updates it has not accepted wait without losing a try. */
async function noteAway(db: Db, { services, row }: Work, error: EslUnreachableError | EslRejectedError): Promise<void> {
  const isSilent = error instanceof EslUnreachableError
  const silences = (row.silences ?? 0) + 1
  const rest = REST_MINUTES[Math.min(silences, REST_MINUTES.length) - 1]!
  const state = !isSilent ? 'refused' : error.failure === 'busy' ? 'busy' : 'away'
  const minutes = state === 'refused' ? REFUSED_MINUTES : state === 'busy' ? BUSY_MINUTES : rest
  const until = new Date(services.now().getTime() + minutes * MINUTE_MS)
  // Without an answer there is no message to show.
  const message = isSilent ? null : error.message.slice(0, MESSAGE_MAX)
  await db.run(sql`update tag_account set state = ${state}, state_message = ${message}, silences = ${silences}::int,
      rest_until = ${until.toISOString()}, well_since = null
    where tenant_id = ${db.tenantId} and id = ${row.id} and version = ${row.version}`)
  await db.run(sql`update price_tag set status = ${PRICE_TAG_STATE.waiting}, command_id = null,
      next_time = ${services.now().toISOString()}, version = version + 1
    where tenant_id = ${db.tenantId} and account_id = ${row.id} and status = ${PRICE_TAG_STATE.sent}
      and taken_time is null
      and is_deleted = 0`)
  if (row.state !== state) publishRowsChanged({ db }, tagAccount, [row])
}
