import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { PatchOf, RowOf } from '#kit/resource/index.ts'
import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import type { Db } from '#kit/server/database/db.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { deleteTaskFiles } from '#kit/server/sheets/tasks.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { tenantFilesSlot } from './tenant-files.ts'
import { tenantRemoval } from './tenant-removal.resource.ts'
import { filterIdsOfTenant, logTextColumnsByTable, findTenantTables } from './tenant-tables.ts'
import { changedTopicOf } from '#kit/resource/index.ts'

export const tenantRemovalQueue = defineQueue('system.tenantRemoval')

/** Rows deleted per transaction; few, so that nobody waits long for their locks. */
const PART = 2000
/** Time without new rows after which a removal is complete: work in progress elsewhere may still write some. */
const QUIET_MS = 60_000
/** The same for a practice tenant, where only its devices write, and those are switched off first. */
const PRACTICE_QUIET_MS = 5_000
const [IDS, WORDS] = [5000, 500]

type Removal = RowOf<typeof tenantRemoval>
type Going = { services: Services; signal: AbortSignal; row: Removal }

/** Removes tenants that are due, in parts; continues after an interruption, in any process. */
export const removeDueTenantsJob = defineModuleJob({
  queue: tenantRemovalQueue,
  cron: '*/5 * * * *',
  concurrency: 1,
  timeoutSeconds: 4 * 3600,
  run: async (_none, { services, signal }) => {
    const problems: unknown[] = []
    for (const row of await dueNow(services))
      await advanceRemoval({ services, signal, row }).catch((error: unknown) => problems.push(error))
    if (problems.length) throw problems[0]
  },
})

const whole = <T>(services: Services, work: (db: Db) => Promise<T>) =>
  services.unit({ crossTenantReason: 'all of a tenant is removed' }, work)

const dueNow = (services: Services): Promise<Removal[]> =>
  whole(services, (db) =>
    db.find(
      tenantRemoval,
      sql`(r.state = 'running' or r.state = 'waiting' and r.due_time <= ${services.now().toISOString()}::timestamptz)`,
    ),
  )

async function advanceRemoval(going: Going): Promise<void> {
  const { services, row } = going
  if (row.state === 'waiting' && !(await startRemoval(going))) return
  await blankLogTexts(going)
  await takeFiles(going)
  const taken = await takeRows(going)
  await whole(services, (db) => deletePlatformMessages(db, row.tenantNo))
  const now = services.now()
  const quietMs = row.isPractice ? PRACTICE_QUIET_MS : QUIET_MS
  const since = row.quietSince ? parseShanghaiTime(row.quietSince).getTime() : undefined
  if (taken || since === undefined) {
    await updateRunning(going, { quietSince: now.toISOString() })
    const runAt = new Date(now.getTime() + quietMs)
    await whole(services, (db) => db.enqueue(tenantRemovalQueue, {}, { key: `quiet ${row.id}`, runAt }))
  } else if (now.getTime() - since >= quietMs) await certify(going)
}

/** Locks and returns the removal. Refuses when its state is no longer the expected one. */
async function hold(db: Db, { row }: Going, state: Removal['state']): Promise<Removal> {
  const now = await db.get(tenantRemoval, row.id, 'forUpdate')
  if (now?.state !== state) throw new Refused('action_not_now', { action: tenantRemoval.label })
  return now
}

async function updateRunning(going: Going, patch: PatchOf<typeof tenantRemoval>): Promise<void> {
  await whole(going.services, async (db) => {
    await hold(db, going, 'running')
    await change(db, going, patch)
  })
}

async function change(db: Db, { row }: Going, patch: PatchOf<typeof tenantRemoval>): Promise<void> {
  Object.assign(row, await db.update(tenantRemoval, row.id, patch))
  db.publish(changedTopicOf(tenantRemoval), { ids: [row.id] }, { permission: tenantRemoval.code })
}

/**
 * Deletes the tenant's row so that nobody can sign in. Cancels the removal if the tenant was reopened. Returns whether
 * it goes on.
 */
async function startRemoval(going: Going): Promise<boolean> {
  const { services } = going
  return whole(services, async (db) => {
    const { tenantNo } = await hold(db, going, 'waiting')
    const now = services.now().toISOString()
    const gone = await db.run(
      sql`update tenant set is_deleted = 1, update_time = now() where tenant_id = ${tenantNo}
        and tenant_id <> ${MANAGEMENT_TENANT} and (is_deleted = 1 or expire_time <= ${now}::timestamptz)`,
    )
    await change(db, going, gone ? { state: 'running', startTime: now } : { state: 'cancelled', finishTime: now })
    publishPermissionsChanged(services, db, { tenantIds: [tenantNo] })
    return gone > 0
  })
}

/**
 * Blanks texts about the tenant in the platform's logs; who, when and the result stay. Runs before the rows are
 * deleted, as their ids identify the texts.
 */
async function blankLogTexts({ services, row: { tenantNo } }: Going): Promise<void> {
  const logs = logTextColumnsByTable(services.registry)
  const places = (await whole(services, findTenantTables)).flatMap(({ part, name }) =>
    (logs.get(name) ?? []).map((column) => ({ part, column })),
  )
  const numbers = new Set<string>()
  for (const { part, column } of places) {
    const found = await whole(services, (db) =>
      db.query<{ number: string }>(
        sql`select distinct left(found[1], 18) as number from platform_words(${part}::regclass, ${column}) as words,
          regexp_matches(words, '[0-9]{6,}', 'g') as found`,
      ),
    )
    for (const { number } of found) numbers.add(number)
  }
  const patterns = await whole(services, (db) => patternsOf(db, services, tenantNo, [...numbers]))
  for (const { part, column } of places)
    for (let from = 0; from < patterns.length; from += WORDS) {
      const some = patterns.slice(from, from + WORDS)
      await whole(services, (db) =>
        db.run(sql`select blank_words_on_tenant(${part}::regclass, ${column}, ${tenantNo}, ${some})`),
      )
    }
}

const literal = (text: string) => text.replace(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`)

/**
 * Returns patterns for texts about the tenant: its number, its name, and those of the numbers that are ids of its rows.
 */
async function patternsOf(
  db: Db,
  { registry }: Services,
  tenantNo: string,
  numbers: readonly string[],
): Promise<string[]> {
  const named = await db.one<{ tenantName: string }>(sql`select tenant_name from tenant where tenant_id = ${tenantNo}`)
  const own = new Set([tenantNo])
  for (let from = 0; from < numbers.length; from += IDS)
    for (const id of await filterIdsOfTenant(db, registry, tenantNo, numbers.slice(from, from + IDS))) own.add(id)
  return [
    ...[...own].map((id) => `(^|[^0-9])${id}([^0-9]|$)`),
    ...(named?.tenantName ? [literal(named.tenantName)] : []),
  ]
}

/**
 * Removes the tenant's files, before the rows with their storage accounts. Counts files an account of the tenant fails
 * to remove.
 */
async function takeFiles(going: Going): Promise<void> {
  const { services, signal, row } = going
  const store = services.slots.find(tenantFilesSlot)!
  let after = ''
  for (;;) {
    signal.throwIfAborted()
    const page = await store.after(services, row.tenantNo, after)
    if (!page.length) break
    const left = new Set<string>()
    for (const file of page)
      await store.remove(services, row.tenantNo, file).catch((error: unknown) => {
        if (!file.ossId) throw error
        left.add(file.key)
      })
    after = page.at(-1)!.key
    const keys = page.map((file) => file.key)
    await whole(services, async (db) => {
      const held = await hold(db, going, 'running')
      await db.run(sql`delete from stored_file where tenant_id = ${row.tenantNo} and key = any(${keys})`)
      await change(db, going, {
        filesRemoved: (held.filesRemoved ?? 0) + keys.length - left.size,
        filesLeft: (held.filesLeft ?? 0) + left.size,
      })
    })
  }
  await services.files.clear(row.tenantNo)
}

/** Deletes all rows of the tenant from every table with tenants. Returns their number. */
async function takeRows(going: Going): Promise<number> {
  const { services, signal, row } = going
  let taken = 0
  for (const lying of await whole(services, findTenantTables)) {
    let gone: number
    do {
      signal.throwIfAborted()
      gone = await whole(services, async (db) => {
        const held = await hold(db, going, 'running')
        const { count } = (await db.one<{ count: number }>(
          sql`select take_rows_of_tenant(${lying.part}::regclass, ${row.tenantNo}, ${PART}) as count`,
        ))!
        if (!count) return 0
        await db.run(
          sql`insert into tenant_removed_rows as r (removal_id, name, removed)
            values (${row.id}, ${lying.name}, ${count})
            on conflict (removal_id, name) do update set removed = r.removed + excluded.removed`,
        )
        await change(db, going, { rowsRemoved: (held.rowsRemoved ?? 0) + count })
        return count
      })
      taken += gone
    } while (gone === PART)
  }
  return taken
}

/** Deletes short-lived data of the platform that may mention the tenant: shared entries and finished jobs. */
async function deletePlatformMessages(db: Db, tenantNo: string): Promise<void> {
  const number = `(^|[^0-9])${tenantNo}([^0-9]|$)`
  await db.run(sql`delete from shared_entry where key ~ ${number} or value::text ~ ${number}`)
  await db.run(
    sql`delete from job where tenant_id = ${MANAGEMENT_TENANT} and state in ('done', 'failed')
      and (payload::text ~ ${number} or dedupe_key ~ ${number} or last_error ~ ${number})`,
  )
}

/** Deletes exports and imports of the platform from before the removal, which may hold the tenant's rows. */
async function deletePlatformTasks({ services, row }: Going): Promise<void> {
  const ids = await whole(services, (db) =>
    db.query<{ id: string }>(
      sql`select id::text as id from background_task where tenant_id = ${MANAGEMENT_TENANT}
        and create_time < ${row.quietSince}::timestamptz and state in ('checked', 'done', 'failed')`,
    ),
  )
  for (const { id } of ids) {
    await deleteTaskFiles(services, { id, tenantId: MANAGEMENT_TENANT })
    await whole(services, async (db) => {
      await db.run(sql`delete from background_task_row where tenant_id = ${MANAGEMENT_TENANT} and task_id = ${id}`)
      await db.run(sql`delete from background_task where tenant_id = ${MANAGEMENT_TENANT} and id = ${id}`)
    })
  }
}

/** Counts what is left in every table of the database and stores the result as the certificate. */
async function certify(going: Going): Promise<void> {
  const { services, row } = going
  await deletePlatformTasks(going)
  await whole(services, async (db) => {
    const held = await hold(db, going, 'running')
    const removed = await db.query<{ name: string; removed: number }>(
      sql`select name, removed from tenant_removed_rows where removal_id = ${row.id}`,
    )
    const lines = new Map<string, { removed: number; left: number }>()
    for (const { part, name } of await findTenantTables(db)) {
      const { left } = (await db.one<{ left: number }>(
        sql`select count_rows_of_tenant(${part}::regclass, ${row.tenantNo}) as left`,
      ))!
      lines.set(name, { removed: 0, left: (lines.get(name)?.left ?? 0) + left })
    }
    for (const { name, removed: count } of removed)
      lines.set(name, { left: lines.get(name)?.left ?? 0, removed: count })
    const rowsLeft = [...lines.values()].reduce((sum, one) => sum + one.left, 0)
    if (rowsLeft) throw new Error(`${rowsLeft} rows of tenant ${row.tenantNo} came back`)
    const finishTime = services.now().toISOString()
    const certificate = certificateOf({ ...held, finishTime: formatShanghaiTime(services.now()) }, lines)
    await db.run(sql`delete from tenant_removed_rows where removal_id = ${row.id}`)
    if (row.isPractice) return deletePracticeRemoval(db, row)
    await change(db, going, {
      state: 'done',
      finishTime,
      tableCount: lines.size,
      rowsLeft,
      certificate,
      digest: createHash('sha256').update(certificate).digest('hex'),
    })
  })
}

/** Deletes a practice tenant's removal too: it needs no certificate. */
async function deletePracticeRemoval(db: Db, { id }: Removal): Promise<void> {
  await db.run(sql`delete from tenant_removal where id = ${id}`)
  await db.run(sql`delete from job where tenant_id = ${MANAGEMENT_TENANT} and queue = ${tenantRemovalQueue.name}
    and dedupe_key = ${`quiet ${id}`} and state in ('done', 'failed')`)
  db.publish(changedTopicOf(tenantRemoval), { ids: [id] }, { permission: tenantRemoval.code })
}

const certificateOf = (row: Removal, lines: Map<string, { removed: number; left: number }>): string =>
  [
    `tenant ${row.tenantNo}`,
    `asked ${row.createTime} by ${row.createUser}`,
    ...(row.hurriedBy ? [`hurried by ${row.hurriedBy}`] : []),
    `begun ${row.startTime}`,
    `finished ${row.finishTime}`,
    `files removed ${row.filesRemoved ?? 0} left outside ${row.filesLeft ?? 0}`,
    'table removed left',
    ...[...lines]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { removed, left }]) => `${name} ${removed} ${left}`),
    '',
  ].join('\n')
