import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

/** Roles of the cluster: `store_app` sees one tenant, `store_platform` all; neither owns a table or bypasses row-level security. */
const ROLES = `
do $$ begin
  if not exists (select from pg_roles where rolname = 'store_app') then create role store_app nologin nobypassrls; end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  if not exists (select from pg_roles where rolname = 'store_platform') then create role store_platform nologin nobypassrls; end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  execute format('grant store_app, store_platform to %I', session_user);
end $$;
create table if not exists migration (name text primary key, digest text not null, applied_at timestamptz not null default now());
grant usage on schema public to store_app, store_platform;
`

const LOCK = 727_401

/**
 * Brings the database up to date: applies `folder`'s `NNNN-*.sql` files it has not seen, in order, each in a transaction. Refuses a
 * database whose applied migrations were edited or are unknown to this build. Returns the names applied now.
 */
export async function migrate(url: string, folder: URL): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, options: '-c TimeZone=Asia/Shanghai' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(ROLES)
    const applied = new Map((await client.query<{ name: string; digest: string }>('select name, digest from migration')).rows.map((row) => [row.name, row.digest]))
    const files = (await readdir(folder)).filter((file) => /^\d{4}-.*\.sql$/.test(file)).sort()
    for (const name of applied.keys()) if (!files.includes(name)) throw new Error(`this database was written by a newer version: it has migration ${name}`)
    const now: string[] = []
    for (const file of files) {
      const text = await readFile(new URL(file, folder), 'utf8')
      const digest = createHash('sha256').update(text).digest('hex')
      if (applied.has(file)) {
        if (applied.get(file) !== digest) throw new Error(`migration ${file} was changed after it had been applied`)
        continue
      }
      await client.query('begin')
      try {
        await client.query(text)
        await client.query('insert into migration (name, digest) values ($1, $2)', [file, digest])
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw new Error(`migration ${file} failed: ${(error as Error).message}`, { cause: error })
      }
      now.push(file)
    }
    return now
  } finally {
    await client.end()
  }
}
