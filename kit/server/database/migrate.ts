import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { openClient } from './connections.ts'
import { expandPerPartition } from './partitions.ts'

/**
 * Roles of the cluster: `store_app` sees one tenant, `store_platform` all; neither owns a table or bypasses row-level
 * security.
 */
const ROLES = `
do $$ begin
  if not exists (select from pg_roles where rolname = 'store_app') then
    create role store_app nologin nobypassrls;
  end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  if not exists (select from pg_roles where rolname = 'store_platform') then
    create role store_platform nologin nobypassrls;
  end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  execute format('grant store_app, store_platform to %I', session_user);
end $$;
`

const BASICS = `
create table if not exists migration (name text primary key, digest text not null,
applied_at timestamptz not null default now());
grant usage on schema public to store_app, store_platform;
`

const LOCK = 727_401
const LOCK_POLL_MS = 100

/**
 * A statement that waits for a table lets nobody pass behind it, however quick it is itself: it gives up soon, lets
 * them pass, and tries again.
 */
const [TABLE_MS, BREATH_MS, TABLE_TRIES] = [2000, 3000, 60]
const LOCKED = '55P03'

/**
 * Named by when they were made (`202611221030-…`), so that two made at once do not claim one number; the first carry
 * numbers.
 */
const FILE = /^(?:\d{4}|\d{12})-.*\.sql$/

/** The migrations of a folder, in the order they are applied. */
export const sortedMigrationFiles = (names: readonly string[]): string[] =>
  names.filter((name) => FILE.test(name)).sort()

/**
 * Begins a migration whose statements each stand in no transaction, as those that build an index while others write
 * have to. After a crash it is applied from its start again, so each of them must bear that.
 */
export const NO_TRANSACTION_MARKER = '-- apart: each statement in no transaction'

/** What the tool asked a person to decide and nobody has: the lines that begin with `-- decide:`. */
export const undecidedMigrationLines = (text: string): string[] =>
  text.split('\n').filter((line) => line.startsWith('-- decide:'))

/**
 * Brings the database up to date: applies `folder`'s migrations it has not seen, in order, each in a transaction unless
 * it begins with `APART`.
 * Refuses migrations that still ask something, and a database whose applied ones were edited or are unknown to this
 * build. Returns the names applied now.
 */
export async function migrate(url: string, folder: URL): Promise<string[]> {
  const client = await openClient({ connectionString: url, options: '-c TimeZone=Asia/Shanghai' })
  client.on('notice', ({ severity, message }) => {
    if (severity === 'WARNING') process.emitWarning(message ?? '', 'Migration')
  })
  try {
    // Asked again and again: who waits inside one statement holds a snapshot, and an index being built waits for that.
    const ask = 'select pg_try_advisory_lock($1) as "isMine"'
    while (!(await client.query<{ isMine: boolean }>(ask, [LOCK])).rows[0]!.isMine) await setTimeout(LOCK_POLL_MS)
    await refuseHalfLoaded(client)
    await createDatabaseRoles(client)
    await client.query(BASICS)
    const applied = new Map(
      (await client.query<{ name: string; digest: string }>('select name, digest from migration')).rows.map((row) => [
        row.name,
        row.digest,
      ]),
    )
    const files = sortedMigrationFiles(await readdir(folder))
    for (const name of applied.keys())
      if (!files.includes(name))
        throw new Error(`this database was written by a newer version: it has migration ${name}`)
    const now: string[] = []
    // A new database is nobody's yet: nothing has to be built beside who writes.
    const isNew = !applied.size
    for (const file of files) {
      const text = await readFile(new URL(file, folder), 'utf8')
      const digest = createHash('sha256').update(text).digest('hex')
      if (applied.has(file)) {
        if (applied.get(file) !== digest) throw new Error(`migration ${file} was changed after it had been applied`)
        continue
      }
      const [question] = undecidedMigrationLines(text)
      if (question) throw new Error(`migration ${file} still asks: ${question}`)
      const isApart = text.startsWith(NO_TRANSACTION_MARKER)
      const note = () => client.query('insert into migration (name, digest) values ($1, $2)', [file, digest])
      const whole = `begin; set local lock_timeout = ${TABLE_MS};\n${text}`
      try {
        if (isApart)
          for (const statement of statementsOf(text)) await alone(client, isNew ? atOnce(statement) : statement)
        else
          await pastOthers(
            () => client.query(whole),
            () => client.query('rollback'),
          )
        await note()
        if (!isApart) await client.query('commit')
      } catch (error) {
        if (!isApart) await client.query('rollback')
        throw new Error(`migration ${file} failed: ${(error as Error).message}`, { cause: error })
      }
      now.push(file)
    }
    return now
  } finally {
    await client.end()
  }
}

/** Tries until the tables it locks are free; whatever was begun is undone between two tries. */
async function pastOthers(work: () => Promise<unknown>, undo?: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await work())
    } catch (error) {
      if ((error as { code?: string }).code !== LOCKED || tries === TABLE_TRIES) throw error
      await undo?.()
      await setTimeout(BREATH_MS)
    }
  }
}

/** The statements of a migration that begins with `APART`. */
const statementsOf = (text: string) =>
  text
    .slice(NO_TRANSACTION_MARKER.length)
    .trimStart()
    .split(/;\n(?! )/)

/** An index is built in half the time where nobody else writes. */
const atOnce = (statement: string) => statement.replaceAll(/\bindex concurrently\b/g, 'index')

/** One statement of those that stand in no transaction. What works while others write may wait for them. */
async function alone(client: pg.Client, statement: string): Promise<void> {
  await client.query(`set lock_timeout = ${/\bconcurrently\b/i.test(statement) ? 0 : TABLE_MS}`)
  for (const one of await expandPerPartition(client, statement)) await pastOthers(() => client.query(one))
}

/** The roles of the product, which belong to the server and come with no dump. */
export const createDatabaseRoles = (client: pg.Client): Promise<unknown> => client.query(ROLES)

/**
 * A dump loaded into a server without the two roles lost every policy and right that names them: no tenant could be
 * told from another. It is refused in words, and the roles are made, so that the dump can be loaded once more.
 */
async function refuseHalfLoaded(client: pg.Client): Promise<void> {
  const {
    rows: [known],
  } = await client.query<{ isOurs: boolean }>(`select to_regclass('public.migration') is not null as "isOurs"`)
  if (!known!.isOurs) return
  const { rows } = await client.query<{ name: string }>(`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relrowsecurity
      and not (exists (select from pg_policy p where p.polrelid = c.oid and (select oid from pg_roles
      where rolname = 'store_platform') = any(p.polroles))
        and coalesce(has_table_privilege((select oid from pg_roles
        where rolname = 'store_platform'), c.oid, 'select'), false))
    order by 1`)
  if (!rows.length) return
  await createDatabaseRoles(client)
  throw new Error(
    'This database was loaded from a dump into a server without the roles store_app and store_platform: ' +
      `${rows.length} tables lack ` +
      `what keeps tenants apart (${rows
        .slice(0, 3)
        .map(({ name }) => name)
        .join(', ')}…). The roles are made now. Empty the database ` +
      '(drop schema public cascade; create schema public) and load the dump again, or let `npm run restore` do ' +
      'both into a new one.',
  )
}
