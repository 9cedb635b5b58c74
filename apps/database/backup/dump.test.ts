import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { dumpDatabase, loadNewestDump } from './dump.ts'

let database: TestDatabase
let folder: string

beforeEach(async () => {
  database = await testDatabase({ empty: true })
  folder = mkdtempSync(join(tmpdir(), 'dump-test-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
  await database.drop()
})

async function createTable() {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('create table a (n int)')
  await client.end()
}

/** Puts a fake `pg_dump` or `pg_restore` first in the PATH, independent of the version installed. */
function tool(name: string, script: string) {
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  vi.stubEnv('PATH', `${join(folder, 'bin')}:${process.env.PATH}`)
}

test('a dump is there in full or not at all, and its command line shows no password', async () => {
  tool(
    'pg_dump',
    'for a in "$@"; do case "$a" in --file=*) echo "$@" > "${a#--file=}";; esac; done; [ -n "$PGPASSWORD" ] || exit 3',
  )
  await dumpDatabase(database.url, join(folder, 'to'), 7)
  const [name] = readdirSync(join(folder, 'to'))
  expect(name).toMatch(/^dump-.*\.dump$/)
  tool('pg_dump', 'echo no room >&2; exit 1')
  await expect(dumpDatabase(database.url, join(folder, 'to'), 7)).rejects.toThrow('no room')
  expect(readdirSync(join(folder, 'to'))).toEqual([name])
})

test('a dump is loaded into an empty database that has the roles, and into no other', async () => {
  await expect(loadNewestDump(database.url, folder, undefined)).rejects.toThrow('There is no dump')
  writeFileSync(join(folder, 'dump-2026-01-01T100000.dump'), '')
  await expect(loadNewestDump(database.url, folder, new Date('2025-01-01'))).rejects.toThrow('from before')
  tool('pg_restore', 'exit 0')
  expect(await loadNewestDump(database.url, folder, undefined)).toContain('dump-2026-01-01T100000.dump was loaded')
  await createTable()
  await expect(loadNewestDump(database.url, folder, undefined)).rejects.toThrow('empty database only')
})

test('where the tools are missing it is said what to install', async () => {
  vi.stubEnv('PATH', '/nowhere')
  await expect(dumpDatabase(database.url, folder, 7)).rejects.toThrow('pg_dump is not installed here')
})
