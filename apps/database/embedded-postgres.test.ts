import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'

const folders: string[] = []
const running: { stop: () => Promise<void> }[] = []

afterEach(async () => {
  for (const server of running.splice(0).reverse()) await server.stop()
  for (const folder of folders.splice(0)) {
    const cluster = join(folder, 'cluster')
    if (existsSync(cluster)) rmSync(realpathSync(cluster), { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }
})

function folder(mode = 0o755) {
  const made = mkdtempSync(join(tmpdir(), 'embedded-postgres-test-'))
  chmodSync(made, mode)
  folders.push(made)
  return made
}

async function start(dataDir: string, log?: (line: string) => void): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log, settings: { shared_buffers: '16MB' } })
  running.push(server)
  return server
}

/** Starts the database in a process of its own and resolves when that process reports its address. */
async function startElsewhere(dataDir: string): Promise<{ child: ChildProcess; url: string }> {
  const program = `
    const { startEmbeddedPostgres } = await import(process.argv[1])
    const { url } = await startEmbeddedPostgres({ dataDir: process.argv[2], settings: { shared_buffers: '16MB' } })
    process.send(url)`
  const child = spawn(
    process.execPath,
    ['--input-type=module', '-e', program, new URL('./embedded-postgres.ts', import.meta.url).href, dataDir],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  )
  const [url] = (await once(child, 'message')) as [string]
  return { child, url }
}

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  const exit = once(child, 'exit')
  child.kill(signal)
  return exit
}

async function query<T extends object>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}

const portOnly = (url: string) => url.replace(/\?.*/, '')

/** Expects that neither the socket nor the port answers. */
async function expectNoAnswer(url: string) {
  await expect(query(url, 'select 1')).rejects.toThrow('ENOENT')
  await expect(query(portOnly(url), 'select 1')).rejects.toThrow('ECONNREFUSED')
}

/** Occupies a port; undefined when it is already in use. */
const squat = (port: number) =>
  new Promise<Server | undefined>((done) => {
    const server = createServer().once('error', () => done(undefined))
    server.listen(port, '127.0.0.1', () => done(server))
  })

const pidFile = (dataDir: string) => join(dataDir, 'cluster', 'postmaster.pid')
const serverPid = (dataDir: string) => Number(readFileSync(pidFile(dataDir), 'utf8').split('\n')[0])

test('what was written is there after a clean stop and a second start, at the same address', async () => {
  const dataDir = folder()
  const first = await start(dataDir)
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  expect(existsSync(pidFile(dataDir))).toBe(false)
  const second = await start(dataDir)
  expect(second.url).toBe(first.url)
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('the server listens on loopback alone, wants a password, and is never on the usual port', async () => {
  const { url } = await start(folder())
  const { port, username } = new URL(url)
  expect(port).not.toBe('5432')
  expect(await query(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  await expect(query(`postgres://${username}@127.0.0.1:${port}/app`, 'select 1')).rejects.toThrow()
  await expect(query(`postgres://${username}:wrong@127.0.0.1:${port}/app`, 'select 1')).rejects.toThrow('password')
})

const byPort = (url: string) =>
  query<{ byPort: boolean }>(url, 'select inet_client_addr() is not null as "byPort"').then(([one]) => one!.byPort)

test('the product comes by a socket nobody else can reach, tools by the port', async () => {
  const dataDir = folder()
  const { url } = await start(dataDir)
  expect(await byPort(url)).toBe(false)
  const { port, searchParams } = new URL(url)
  expect(searchParams.get('host')).toBe(realpathSync(join(dataDir, 'cluster')))
  expect(await byPort(portOnly(url))).toBe(true)
  const sockets = readdirSync(join(dataDir, 'cluster')).filter((name) => name.startsWith('.s.PGSQL.'))
  expect(sockets.toSorted()).toEqual([`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`])
})

test('where the path is too long for a socket, the product comes by the port', async () => {
  const { url } = await start(join(folder(), 'a-folder-with-a-long-name/'.repeat(4)))
  expect(await byPort(url)).toBe(true)
})

test('what a killed server left of its socket keeps no other from starting', async () => {
  const dataDir = folder()
  const other = folder()
  await start(other)
  const first = await start(dataDir)
  const { port } = new URL(first.url)
  await first.stop()
  const left = join(dataDir, 'cluster', `.s.PGSQL.${port}`)
  writeFileSync(left, '')
  writeFileSync(`${left}.lock`, `${serverPid(other)}\n${dataDir}\n0\n${port}\n${dataDir}\n`)
  const second = await start(dataDir)
  expect(second.url).toBe(first.url)
  expect(await byPort(second.url)).toBe(false)
})

test('the password is readable by the account of the database alone', async () => {
  const dataDir = folder()
  await start(dataDir)
  expect(statSync(join(dataDir, 'cluster', 'connection.json')).mode & 0o777).toBe(0o600)
  expect(statSync(join(dataDir, 'cluster')).mode & 0o777).toBe(0o700)
})

test('the application is no superuser, and Chinese names sort by their sound', async () => {
  const { url } = await start(folder())
  expect(await query(url, 'select rolsuper from pg_roles where rolname = current_user')).toEqual([{ rolsuper: false }])
  const names = `select string_agg(name, '' order by name) as sorted from (values ('张'), ('李'), ('安')) as t(name)`
  expect(await query(url, names)).toEqual([{ sorted: '安李张' }])
})

test('a server whose parent was killed is taken over with everything committed, and stopped by us', async () => {
  const dataDir = folder()
  const { child, url } = await startElsewhere(dataDir)
  await query(url, 'create table kept as select 42 as answer')
  const pid = serverPid(dataDir)
  await end(child, 'SIGKILL')
  const server = await start(dataDir)
  expect(server).toMatchObject({ url, attached: false })
  expect(serverPid(dataDir)).toBe(pid)
  expect(await query(server.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  await server.stop()
  await expectNoAnswer(url)
})

test('a second start on a folder in use shares the server and does not stop it', async () => {
  const dataDir = folder()
  const { child, url } = await startElsewhere(dataDir)
  const guest = await start(dataDir)
  expect(guest).toMatchObject({ url, attached: true })
  await guest.stop()
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  await end(child, 'SIGTERM')
})

test('a second start whose host stops starts the server again and answers for it: it is not left without', async () => {
  const dataDir = folder()
  const { child, url } = await startElsewhere(dataDir)
  const guest = await start(dataDir)
  await query(url, 'create table kept as select 42 as answer')
  await end(child, 'SIGTERM')
  await expect
    .poll(() => query(url, 'select answer from kept').catch(() => 'away'), { timeout: 30_000 })
    .toEqual([{ answer: 42 }])
  await guest.stop()
  expect(existsSync(pidFile(dataDir))).toBe(false)
})

test('who is stopped while starting the server again leaves none behind that nobody answers for', async () => {
  const dataDir = folder()
  const { child, url } = await startElsewhere(dataDir)
  const guest = await start(dataDir)
  const before = serverPid(dataDir)
  const ended = end(child, 'SIGTERM')
  // The server runs, but has no keeper yet.
  await expect
    .poll(() => existsSync(pidFile(dataDir)) && serverPid(dataDir) !== before, { interval: 1, timeout: 30_000 })
    .toBe(true)
  await Promise.all([guest.stop(), ended])
  expect(existsSync(pidFile(dataDir))).toBe(false)
  await expectNoAnswer(url)
})

test.for(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s stops the database before the process ends', async (signal) => {
  const dataDir = folder()
  const { child, url } = await startElsewhere(dataDir)
  expect(await end(child, signal)).toEqual([null, signal])
  expect(existsSync(pidFile(dataDir))).toBe(false)
  await expectNoAnswer(url)
})

test('a server that is killed under us comes back by itself with everything committed', async () => {
  const dataDir = folder()
  const lines: string[] = []
  const { url } = await start(dataDir, (line) => lines.push(line))
  await query(url, 'create table kept as select 42 as answer')
  process.kill(serverPid(dataDir), 'SIGKILL')
  await expect
    .poll(() => query(url, 'select answer from kept').catch(() => 'away'), { timeout: 15_000 })
    .toEqual([{ answer: 42 }])
  expect(lines.join('\n')).toContain('starting it again')
})

test(
  'a server that is killed comes back at its address, though somebody held its ' +
    'port for a while: pools know no other',
  async () => {
    const dataDir = folder()
    const lines: string[] = []
    const { url } = await start(dataDir, (line) => lines.push(line))
    process.kill(serverPid(dataDir), 'SIGKILL')
    let squatter: Server | undefined
    while (!squatter) squatter = await squat(Number(new URL(url).port))
    await expect.poll(() => lines.join('\n'), { timeout: 30_000 }).toMatch(/Port \d+ is taken/)
    squatter.close()
    await expect
      .poll(() => query(url, 'select 1 as one').catch(() => 'away'), { timeout: 30_000 })
      .toEqual([{ one: 1 }])
  },
)

test('a pid file that a full disk left empty does not keep the database from starting', async () => {
  const dataDir = folder()
  const first = await start(dataDir)
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  writeFileSync(pidFile(dataDir), '')
  const { uid, gid } = statSync(join(dataDir, 'cluster'))
  chownSync(pidFile(dataDir), uid, gid)
  const second = await start(dataDir)
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('a pid file that names a process of somebody else does not keep the database from starting', async () => {
  const dataDir = folder()
  const first = await start(dataDir)
  const left = readFileSync(pidFile(dataDir), 'utf8')
  await first.stop()
  const stranger = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })
  writeFileSync(pidFile(dataDir), left.replace(/^\d+/, String(stranger.pid)))
  const { uid, gid } = statSync(join(dataDir, 'cluster'))
  chownSync(pidFile(dataDir), uid, gid)
  const second = await start(dataDir)
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(stranger.exitCode).toBe(null)
  await end(stranger, 'SIGKILL')
})

test('a copied folder gets a server of its own beside the original', async () => {
  const original = folder()
  const copy = folder()
  const first = await start(original)
  await first.stop()
  cpSync(original, copy, { recursive: true })
  const again = await start(original)
  const copied = await start(copy)
  expect(copied.attached).toBe(false)
  expect(copied.url).not.toBe(again.url)
})

test('a copy that holds only a link to the database never writes into the original, and says what to do', async () => {
  const [original, copy] = [folder(), folder()]
  const first = await start(original)
  await first.stop()
  const kept = join(folder(), 'kept')
  renameSync(join(original, 'cluster'), kept)
  symlinkSync(kept, join(original, 'cluster'))
  const again = await start(original)
  await query(again.url, 'create table written as select 1 as times')
  symlinkSync(kept, join(copy, 'cluster'))
  await expect(start(copy)).rejects.toThrow(`${copy} is a copy of ${original} and holds only a link`)
  expect(await query(again.url, 'select times from written')).toEqual([{ times: 1 }])
  await again.stop()
  await expect(start(copy)).rejects.toThrow('holds only a link')
})

test('a folder that was moved with its link keeps its database', async () => {
  const [original, moved, kept] = [folder(), folder(), join(folder(), 'kept')]
  const first = await start(original)
  await first.stop()
  renameSync(join(original, 'cluster'), kept)
  symlinkSync(kept, join(moved, 'cluster'))
  const again = await start(moved)
  expect(again.attached).toBe(false)
  expect(await query(again.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a copy made while the database ran is refused instead of started torn', async () => {
  const [original, copy] = [folder(), folder()]
  const first = await start(original)
  cpSync(original, copy, { recursive: true })
  await expect(start(copy)).rejects.toThrow('was copied while its database ran')
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a port taken meanwhile is replaced by a free one', async () => {
  const dataDir = folder()
  const first = await start(dataDir)
  await first.stop()
  const squatter = createServer().listen(Number(new URL(first.url).port), '127.0.0.1')
  await once(squatter, 'listening')
  const second = await start(dataDir)
  expect(second.url).not.toBe(first.url)
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
  squatter.close()
})

test.runIf(process.getuid?.() === 0)('a folder that only root may enter is served all the same', async () => {
  const { url, stop } = await start(folder(0o700))
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  await stop()
})

test('a database whose folder vanished is not silently replaced by an empty one', async () => {
  const dataDir = folder()
  symlinkSync(join(dataDir, 'elsewhere'), join(dataDir, 'cluster'))
  await expect(start(dataDir)).rejects.toThrow('is gone')
})

test('a database of another major version is refused, and nothing is touched', async () => {
  const dataDir = folder()
  const first = await start(dataDir)
  await first.stop()
  writeFileSync(join(dataDir, 'cluster', 'PG_VERSION'), '12\n')
  await expect(start(dataDir)).rejects.toThrow('made by PostgreSQL 12')
})
