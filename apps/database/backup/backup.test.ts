import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded-postgres.ts'
import { readClusterConnection } from '../embedded-postgres-installation.ts'
import { connectAsSuperuser } from '../embedded-postgres-process.ts'
import { formatBackupTime, readArchiveOwner } from './archive.ts'
import { listBaseBackups, copyMissingFiles, deleteOldBackups, takeBaseBackup } from './base-backup.ts'
import { restoreToPointInTime } from './restore.ts'

const folders: string[] = []
const running: EmbeddedPostgres[] = []

afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'backup-test-')))
  chmodSync(made, 0o755)
  folders.push(made)
  return made
}

async function start(dataDir: string, backupDir?: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, backupDir, settings: { shared_buffers: '16MB' } })
  running.push(server)
  return server
}

async function query<T extends object>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}

async function backup(dataDir: string, backupDir: string, time?: Date) {
  const cluster = realpathSync(join(dataDir, 'cluster'))
  const client = await connectAsSuperuser(readClusterConnection(cluster), cluster)
  try {
    return await takeBaseBackup(client, cluster, backupDir, time)
  } finally {
    await client.end()
  }
}

const sales = (url: string) =>
  query<{ day: string }>(url, 'select day from sale order by id').then((rows) => rows.map(({ day }) => day))
const sell = (url: string, day: string) => query(url, `insert into sale (day) values ('${day}')`)
const now = (url: string) =>
  query<{ time: number }>(url, 'select extract(epoch from clock_timestamp())::float8 * 1000 as time').then(
    ([row]) => new Date(row!.time),
  )

test(
  'a shop’s day that was lost comes back to a moment before, with nothing of what came ' +
    'after it; what was there is kept aside',
  async () => {
    const [dataDir, backupDir] = [folder(), folder()]
    const { url, stop } = await start(dataDir, backupDir)
    await query(url, 'create table sale (id bigint generated always as identity, day text)')
    await sell(url, 'monday')
    await backup(dataDir, backupDir)
    await sell(url, 'tuesday')
    const moment = await now(url)
    await query(url, 'delete from sale')
    await sell(url, 'wrong')
    await expect(restoreToPointInTime({ backupDir, dataDir, at: moment })).rejects.toThrow('Stop the product')
    await stop()

    const { aside } = await restoreToPointInTime({ backupDir, dataDir, at: moment })
    expect(existsSync(join(aside!, 'PG_VERSION'))).toBe(true)
    const again = await start(dataDir, backupDir)
    expect(await sales(again.url)).toEqual(['monday', 'tuesday'])
    await sell(again.url, 'wednesday')
    expect(await sales(again.url)).toEqual(['monday', 'tuesday', 'wednesday'])
    await again.stop()

    // After a second loss, the new timeline is followed, not the abandoned one.
    await restoreToPointInTime({ backupDir, dataDir })
    expect(await sales((await start(dataDir, backupDir)).url)).toEqual(['monday', 'tuesday', 'wednesday'])
    // Starts a database five times, two of them as recoveries.
  },
  180_000,
)

test('when the machine is gone, an empty folder gets what was archived', async () => {
  const [dataDir, backupDir, other] = [folder(), folder(), folder()]
  const { url, stop } = await start(dataDir, backupDir)
  await query(url, 'create table sale (id bigint generated always as identity, day text)')
  const { isArchived, startWal } = await backup(dataDir, backupDir)
  expect(isArchived).toBe(true)
  await sell(url, 'monday')
  const cluster = realpathSync(join(dataDir, 'cluster'))
  const client = await connectAsSuperuser(readClusterConnection(cluster), cluster)
  const { piece } = (await client.query<{ piece: string }>('select pg_walfile_name(pg_switch_wal()) as piece')).rows[0]!
  await expect.poll(() => existsSync(join(backupDir, 'wal', `${piece}.gz`)), { timeout: 20_000 }).toBe(true)
  expect(piece > startWal).toBe(true)
  await client.end()
  await stop()
  rmSync(dataDir, { recursive: true })
  expect(await restoreToPointInTime({ backupDir, dataDir: other })).toMatchObject({ aside: undefined })
  expect(await sales((await start(other)).url)).toEqual(['monday'])
})

/** Ends the present WAL segment and waits until it is archived. */
async function archiveAll(dataDir: string, backupDir: string) {
  const cluster = realpathSync(join(dataDir, 'cluster'))
  const client = await connectAsSuperuser(readClusterConnection(cluster), cluster)
  const { piece } = (await client.query<{ piece: string }>('select pg_walfile_name(pg_switch_wal()) as piece')).rows[0]!
  await expect.poll(() => existsSync(join(backupDir, 'wal', `${piece}.gz`)), { timeout: 20_000 }).toBe(true)
  await client.end()
}

/** Creates a database with WAL archiving and a backup from before its first sale. */
async function archivedShop() {
  const [dataDir, backupDir] = [folder(), folder()]
  const shop = await start(dataDir, backupDir)
  await query(shop.url, 'create table sale (id bigint generated always as identity, day text)')
  await backup(dataDir, backupDir)
  await sell(shop.url, 'monday')
  return { dataDir, backupDir, shop }
}

const archived = (backupDir: string) => readdirSync(join(backupDir, 'wal'))

test('a rehearsed restore leaves the archive as it was: a later one brings what was sold since', async () => {
  const { dataDir, backupDir, shop } = await archivedShop()
  const restored = folder()
  const lines: string[] = []
  const log = (line: string) => void lines.push(line)
  // The last sale is only in the running database's own WAL.
  expect(await restoreToPointInTime({ backupDir, dataDir: restored, log })).toMatchObject({ isCopy: true })
  expect(lines).toContainEqual(expect.stringContaining("1 (the living one's), written to "))
  const copy = await start(restored)
  expect(await sales(copy.url)).toEqual(['monday'])
  await sell(copy.url, 'only rehearsed')
  await copy.stop()
  await expect(start(restored, backupDir)).rejects.toThrow('belongs to another database')
  expect(archived(backupDir).filter((name) => name.startsWith('00000002'))).toEqual([])

  await sell(shop.url, 'tuesday')
  await archiveAll(dataDir, backupDir)
  await shop.stop()
  const later = folder()
  await restoreToPointInTime({ backupDir, dataDir: later })
  expect(await sales((await start(later)).url)).toEqual(['monday', 'tuesday'])
}, 180_000)

test('what a rehearsal wrote into an archive before is named and not followed', async () => {
  const { dataDir, backupDir, shop } = await archivedShop()
  const owner = readFileSync(join(backupDir, 'wal', 'owner.json'))
  const restored = folder()
  await restoreToPointInTime({ backupDir, dataDir: restored, takeOver: true })
  const copy = await start(restored, backupDir)
  await sell(copy.url, 'only rehearsed')
  await archiveAll(restored, backupDir)
  await copy.stop()
  writeFileSync(join(backupDir, 'wal', 'owner.json'), owner)
  await sell(shop.url, 'tuesday')
  await archiveAll(dataDir, backupDir)
  const lines: string[] = []
  const again = folder()
  await restoreToPointInTime({ backupDir, dataDir: again, log: (line) => void lines.push(line) })
  expect(lines.join('\n')).toMatch(/1 \(the living one's\), written to .*; 2, written to /)
  const { url, stop } = await start(again)
  expect(await sales(url)).toEqual(['monday', 'tuesday'])
  await stop()

  // Without an owner in the archive, no timeline is guessed.
  rmSync(join(backupDir, 'wal', 'owner.json'))
  await expect(restoreToPointInTime({ backupDir, dataDir: folder() })).rejects.toThrow('Say which one is followed')
}, 180_000)

test('who takes over from a machine that is gone owns its archive, and the old one writes nothing there', async () => {
  const { dataDir, backupDir, shop } = await archivedShop()
  const other = folder()
  expect(await restoreToPointInTime({ backupDir, dataDir: other, takeOver: true })).toMatchObject({ isCopy: false })
  const { url } = await start(other, backupDir)
  expect(readArchiveOwner(backupDir)).toMatchObject({ cluster: realpathSync(join(other, 'cluster')), timeline: 2 })
  await sell(url, 'tuesday')
  await archiveAll(other, backupDir)
  const cluster = realpathSync(join(dataDir, 'cluster'))
  const client = await connectAsSuperuser(readClusterConnection(cluster), cluster)
  await client.query('create table more (a int)')
  await client.query('select pg_switch_wal()')
  const failed = () =>
    client
      .query<{ failed: number }>('select failed_count::int as failed from pg_stat_archiver')
      .then(({ rows }) => rows[0]!.failed)
  await expect.poll(failed, { timeout: 20_000 }).toBeGreaterThan(0)
  await client.end()
  await shop.stop()
  await expect(start(dataDir, backupDir)).rejects.toThrow('belongs to another database')
}, 180_000)

test('a backup is nobody else’s to read', async () => {
  const { backupDir } = await archivedShop()
  const open = [
    backupDir,
    ...readdirSync(backupDir, { recursive: true, encoding: 'utf8' }).map((name) => join(backupDir, name)),
  ].filter((path) => statSync(path).mode & 0o066)
  expect(open).toEqual([])
})

test('a moment no backup reaches is refused in words, and nothing is touched', async () => {
  const [dataDir, backupDir] = [folder(), folder()]
  await expect(restoreToPointInTime({ backupDir, dataDir })).rejects.toThrow('There is no backup')
  const { url, stop } = await start(dataDir)
  await query(url, 'create table sale (id bigint generated always as identity, day text)')
  expect(await backup(dataDir, backupDir)).toMatchObject({ isArchived: false })
  await sell(url, 'monday')
  const later = new Date((await now(url)).getTime() + 3_600_000)
  await stop()
  await expect(restoreToPointInTime({ backupDir, dataDir, at: new Date('2020-01-01') })).rejects.toThrow(
    'nothing before it can be restored',
  )
  await expect(restoreToPointInTime({ backupDir, dataDir, at: later })).rejects.toThrow('has not come yet')
  const after = new Date()
  await expect(restoreToPointInTime({ backupDir, dataDir, at: after })).rejects.toThrow(
    `The archive ends before ${formatBackupTime(after)}`,
  )
  expect(await sales((await start(dataDir)).url)).toEqual(['monday'])
})

test('only the newest backups are kept, and of the log what they need', async () => {
  const [dataDir, backupDir] = [folder(), folder()]
  await start(dataDir, backupDir)
  const first = await backup(dataDir, backupDir)
  const second = await backup(dataDir, backupDir, new Date(Date.now() + 60_000))
  writeFileSync(join(backupDir, 'wal', `${first.startWal}.gz`), '')
  writeFileSync(join(backupDir, 'wal', `${second.startWal}.gz`), '')
  expect(deleteOldBackups(backupDir, 1)).toEqual([first.name])
  expect(listBaseBackups(backupDir)).toEqual([second])
  expect([first, second].map(({ startWal }) => existsSync(join(backupDir, 'wal', `${startWal}.gz`)))).toEqual([
    false,
    true,
  ])
})

test('files are copied once, and one that is there is never written over', async () => {
  const [from, to] = [folder(), folder()]
  mkdirSync(join(from, 'content'))
  writeFileSync(join(from, 'content', 'a'), 'new')
  writeFileSync(join(from, 'b'), 'b')
  mkdirSync(join(to, 'content'))
  writeFileSync(join(to, 'content', 'a'), 'kept')
  expect([await copyMissingFiles(from, to), await copyMissingFiles(from, to)]).toEqual([1, 0])
  expect([readFileSync(join(to, 'content', 'a'), 'utf8'), readFileSync(join(to, 'b'), 'utf8')]).toEqual(['kept', 'b'])
})
