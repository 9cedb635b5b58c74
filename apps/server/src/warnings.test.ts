import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { findLastBackupTime, type InstallationHealth } from './installation.ts'
import { findInstallationWarnings, watchInstallationHealth } from './warnings.ts'

const HOUR = 3_600_000
const now = new Date()
const well: InstallationHealth = {
  archive: { isOn: true, isFailing: false, failed: 0, lastSeconds: 30 },
  standbys: [{ name: 'db2', state: 'streaming', behindBytes: 1000 }],
  clockErrorMs: 20,
}
const kinds = (from: Partial<InstallationHealth>, backup: Date | null | undefined = now) =>
  findInstallationWarnings({ ...well, ...from }, backup, now).map(({ kind }) => kind)

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await testServer()
  folder = mkdtempSync(join(tmpdir(), 'warnings-'))
})
afterAll(async () => {
  await server?.close()
  rmSync(folder, { recursive: true })
})

test('what will hurt is warned of before it does, and what is well is not', () => {
  expect(kinds({})).toEqual([])
  expect(kinds({}, undefined)).toEqual([])
  expect(kinds({ archive: { ...well.archive, isFailing: true } })).toEqual(['archive/failing'])
  expect(kinds({ archive: { ...well.archive, isOn: false, isFailing: true } })).toEqual([])
  expect(kinds({ clockErrorMs: -6000 })).toEqual(['clock/off'])
  expect(kinds({ standbys: [{ name: 'db2', state: 'catchup', behindBytes: 1 }] })).toEqual(['standby/db2'])
  expect(kinds({ standbys: [{ name: 'db2', state: 'streaming', behindBytes: 1e9 }] })).toEqual(['standby/db2'])
  expect(kinds({}, new Date(now.getTime() - 30 * HOUR))).toEqual([])
  expect(kinds({}, new Date(now.getTime() - 40 * HOUR))).toEqual(['backup/old'])
})

test('the last backup is the newest that came to its end, of either kind', () => {
  expect([findLastBackupTime(undefined), findLastBackupTime(folder)]).toEqual([undefined, null])
  mkdirSync(join(folder, 'base-a'))
  writeFileSync(join(folder, 'base-a', 'backup.json'), JSON.stringify({ name: 'base-a', end: '2026-11-20T10:00:00Z' }))
  mkdirSync(join(folder, 'base-b.part'))
  expect(findLastBackupTime(folder)).toEqual(new Date('2026-11-20T10:00:00Z'))
  writeFileSync(join(folder, 'dump-2026-11-21T180000+0800.dump'), '')
  expect(findLastBackupTime(folder)).toEqual(new Date('2026-11-21T10:00:00Z'))
})

test('the platform hears of an old backup once a day, however often somebody looks', async () => {
  const { check, stop } = watchInstallationHealth(server.services, folder)
  await check()
  await check()
  stop()
  const { rows } = await server.services.systemPool.query<{ title: string }>(
    sql`select title from notice where title like '%The last backup was made%'`,
  )
  expect(rows).toHaveLength(1)
})
