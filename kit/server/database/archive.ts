import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type pg from 'pg'

/** Rows held in memory at once. */
const ROWS = 2000

/**
 * Returns a function that writes a table into a compressed file of the folder, one JSON object per line:
 * `log_api_2026_01.jsonl.gz`. `loadArchiveIntoTable` reads it back. The file is written under a temporary name and
 * renamed when complete.
 */
export const createTableArchiver = (folder: string) => async (client: pg.Client, table: string) => {
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${table}.jsonl.gz`)
  await pipeline(
    Readable.from(linesOf(client, table)),
    createGzip(),
    createWriteStream(`${file}.part`, { flush: true }),
  )
  await rename(`${file}.part`, file)
}

/**
 * Loads an archive file into a new table with the columns of table `like`. Columns that no longer exist are skipped,
 * missing ones are null. Only the owner has access to the table. Returns the number of rows.
 */
export async function loadArchiveIntoTable(
  client: pg.Client,
  file: string,
  table: string,
  like: string,
): Promise<number> {
  await client.query(`create table "${table}" (like "${like}")`)
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute where attrelid = $1::regclass and attnum > 0
      and not attisdropped order by attnum`,
    [`"${table}"`],
  )
  await client.query(`alter table "${table}" ${rows.map(({ name }) => `alter ${name} drop not null`).join(', ')}`)
  let count = 0
  const add = async (lines: string[]) => {
    const put = `insert into "${table}" select * from jsonb_populate_recordset(null::"${table}", $1::jsonb)`
    count += (await client.query(put, [`[${lines.join(',')}]`])).rowCount ?? 0
  }
  const waiting: string[] = []
  for await (const line of createInterface({ input: createReadStream(file).pipe(createGunzip()) })) {
    waiting.push(line)
    if (waiting.length === ROWS) await add(waiting.splice(0))
  }
  if (waiting.length) await add(waiting)
  return count
}

async function* linesOf(client: pg.Client, table: string) {
  await client.query('begin')
  await client.query(`declare kept cursor for select to_jsonb(t)::text as line from "${table}" t`)
  for (let isMore = true; isMore;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${ROWS} from kept`)
    isMore = rows.length === ROWS
    if (rows.length) yield `${rows.map(({ line }) => line).join('\n')}\n`
  }
  await client.query('commit')
}
