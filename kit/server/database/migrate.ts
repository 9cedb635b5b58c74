import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { openClient } from './connections.ts'
import { expandPerPartition } from './partitions.ts'

/**
 * Creates the database roles: `store_app` sees one tenant, `store_platform` all; neither owns a table or bypasses
 * row-level security.
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
 * Timeout for locking a table, pause before the next try (both in milliseconds), and number of tries. A statement that
 * waits for a lock blocks all that come after it, so it gives up soon and tries again.
 */
const [TABLE_MS, PAUSE_MS, TABLE_TRIES] = [2000, 3000, 60]
const LOCKED = '55P03'

/**
 * File names start with their creation time (`202611221030-…`), so that two made in parallel do not collide; the oldest
 * ones have numbers.
 */
const FILE = /^(?:\d{4}|\d{12})-.*\.sql$/

/** Names of the migration files among `names`, in the order they are applied. */
export const sortedMigrationFiles = (names: readonly string[]): string[] =>
  names.filter((name) => FILE.test(name)).sort()

/**
 * First line of a migration whose statements run without a transaction, as `create index concurrently` needs. After a
 * crash it starts again from the top, so each statement must be repeatable.
 */
export const NO_TRANSACTION_MARKER = '-- apart: each statement in no transaction'

/** Lines of a migration that begin with `-- decide:`: questions that a person has yet to answer. */
export const undecidedMigrationLines = (text: string): string[] =>
  text.split('\n').filter((line) => line.startsWith('-- decide:'))

/**
 * Applies the migrations of `folder` that the database has not seen, in order, each in a transaction unless it begins
 * with `NO_TRANSACTION_MARKER`. Refuses migrations with open questions, and a database whose applied migrations were
 * edited since or are unknown to this build. Returns the names applied now.
 */
export async function migrate(url: string, folder: URL): Promise<string[]> {
  const client = await openClient({ connectionString: url, options: '-c TimeZone=Asia/Shanghai' })
  client.on('notice', ({ severity, message }) => {
    if (severity === 'WARNING') process.emitWarning(message ?? '', 'Migration')
  })
  try {
    // Polls instead of waiting inside a statement: that would hold a snapshot, which an index build waits for.
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
    // A new database has no other users, so nothing needs to be built concurrently.
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

/** Retries until the tables are free to lock; `undo` runs between two tries. */
async function pastOthers(work: () => Promise<unknown>, undo?: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return void (await work())
    } catch (error) {
      if ((error as { code?: string }).code !== LOCKED || tries === TABLE_TRIES) throw error
      await undo?.()
      await setTimeout(PAUSE_MS)
    }
  }
}

/** Splits a migration that begins with `NO_TRANSACTION_MARKER` into its statements. */
const statementsOf = (text: string) =>
  text
    .slice(NO_TRANSACTION_MARKER.length)
    .trimStart()
    .split(/;\n(?! )/)

/** Builds an index without `concurrently`, which takes half the time when nobody else writes. */
const atOnce = (statement: string) => statement.replaceAll(/\bindex concurrently\b/g, 'index')

/**
 * Runs one statement without a transaction. `concurrently` statements may wait for locks without limit, as they block
 * nobody.
 */
async function alone(client: pg.Client, statement: string): Promise<void> {
  await client.query(`set lock_timeout = ${/\bconcurrently\b/i.test(statement) ? 0 : TABLE_MS}`)
  for (const one of await expandPerPartition(client, statement)) await pastOthers(() => client.query(one))
}

/** Creates the roles of the application. They belong to the server and are not part of a dump. */
export const createDatabaseRoles = (client: pg.Client): Promise<unknown> => client.query(ROLES)

/**
 * Refuses a database that was loaded from a dump into a server without the two roles: all policies and grants naming
 * them are missing, so tenants are not separated. Creates the roles, so that loading the dump again works.
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
