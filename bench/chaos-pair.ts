// A database with a synchronous standby, and a minimal failover tool for the two: it checks, fences what does not
// answer, promotes the other and makes a new standby. (For the real Patroni see chaos-patroni.ts.)
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { takeBaseBackup } from '#apps/database/backup/base-backup.ts'
import { startEmbeddedPostgres, tcpDatabaseUrl, type EmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { readClusterConnection } from '#apps/database/embedded-postgres-installation.ts'
import { findFreePort, connectAsSuperuser, runningPostgresPid } from '#apps/database/embedded-postgres-process.ts'

const LOOK_MS = 500
/** Failed checks in a row after which a host counts as dead. */
const FAILED_CHECKS_MAX = 3

type Host = { cluster: string; port: number; server: EmbeddedPostgres }
export type Pair = {
  /** Connection URL with all hosts. */
  url: string
  /** Number of standbys while all hosts are alive. */
  standbys: number
  /** Without any standby the primary acknowledges commits alone. */
  goesAlone: boolean
  killPrimary: () => Promise<void>
  killStandby: () => Promise<void>
  /** Waits until the primary is found dead and another promoted. Returns the milliseconds. */
  failOver: () => Promise<number>
  /** Turns the dead host into a standby again and waits until a synchronous one exists. Returns how it was done. */
  makeWhole: () => Promise<string>
  /** Fault injection that only an external tool such as Patroni can be tested with. */
  freezer?: Freezer
  stop: () => Promise<void>
}
export type Freezer = {
  /** Freezes the whole machine, or only Patroni on it: then its key expires while the database goes on. */
  freeze: (who: 'primary' | 'synchronous', what: 'machine' | 'keeper') => Promise<void>
  /** Returns whether the frozen host acknowledges a commit within so many milliseconds. */
  acknowledges: (ms: number) => Promise<boolean>
  wake: () => void
}
export type MakePair = (folder: string, settings: Record<string, string>) => Promise<Pair>

export async function withClient<T>(opening: Promise<pg.Client>, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await opening
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const asSuperuser = <T>(cluster: string, work: (client: pg.Client) => Promise<T>) =>
  withClient(connectAsSuperuser(readClusterConnection(cluster), cluster), work)

/** Returns a connection URL for several ports of this machine, as the product is given it. */
export function urlOfAll(password: string, ports: readonly number[]): string {
  const [port, ...others] = ports
  const hosts = [`:${port}`, ...others.map((other) => `127.0.0.1:${other}`)].join(',')
  return `${tcpDatabaseUrl({ port: port!, password }).replace(
    `:${port}/`,
    `${hosts}/`,
  )}?target_session_attrs=read-write`
}

const pidOf = (cluster: string) => Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0])

export async function until(what: string, isSo: () => Promise<boolean>, seconds = 60): Promise<void> {
  const began = performance.now()
  while (!(await isSo())) {
    if (performance.now() - began > seconds * 1000) throw new Error(`${what} does not come about`)
    await pause(100)
  }
}

/** Copies a running database into a folder and starts the copy as its standby. */
async function startStandby(
  from: Host,
  dataDir: string,
  port: number,
  settings: Record<string, string>,
): Promise<Host> {
  const cluster = join(dataDir, 'cluster')
  rmSync(cluster, { recursive: true, force: true })
  mkdirSync(dataDir, { recursive: true, mode: 0o755 })
  const copies = join(dataDir, 'copies')
  const { name } = await asSuperuser(from.cluster, (client) => takeBaseBackup(client, from.cluster, copies))
  renameSync(join(copies, name, 'cluster'), cluster)
  rmSync(copies, { recursive: true, force: true })
  const { folder: _itsOwn, ...memo } = readClusterConnection(cluster)
  writeFileSync(join(cluster, 'connection.json'), JSON.stringify({ ...memo, port }))
  writeFileSync(join(cluster, 'standby.signal'), '')
  const reach = `host=127.0.0.1 port=${from.port} user=postgres password=${memo.superuserPassword}`
  const followed = `primary_conninfo = '${reach} application_name=standby'\n`
  appendFileSync(join(cluster, 'postgresql.auto.conf'), followed)
  const server = await startEmbeddedPostgres({ dataDir, settings, isMortal: true })
  return { cluster: realpathSync(cluster), port, server }
}

/** Makes commits wait until the standby has them on its disk. */
const waitForBoth = (cluster: string) =>
  asSuperuser(cluster, async (client) => {
    await client.query("alter system set synchronous_standby_names = 'standby'")
    await client.query('select pg_reload_conf()')
    const ask = "select from pg_stat_replication where sync_state = 'sync'"
    await until('a synchronous standby', async () => (await client.query(ask)).rowCount === 1)
  })

async function untilDead(cluster: string): Promise<void> {
  for (let missed = 0; missed < FAILED_CHECKS_MAX;) {
    const isAlive = await asSuperuser(cluster, (client) => client.query('select 1')).catch(() => undefined)
    missed = isAlive ? 0 : missed + 1
    if (missed < FAILED_CHECKS_MAX) await pause(LOOK_MS)
  }
}

export const makePair: MakePair = async (folder, settings) => {
  const ports = [await findFreePort(), await findFreePort()] as const
  const folders = [join(folder, 'one'), join(folder, 'two')] as const
  const own = { ...settings, wal_keep_size: '256MB' }
  const server = await startEmbeddedPostgres({ dataDir: folders[0], settings: own, isMortal: true })
  const cluster = realpathSync(join(folders[0], 'cluster'))
  let primary: Host = { cluster, port: Number(new URL(server.url).port), server }
  let standby: Host | undefined = await startStandby(primary, folders[1], ports[1], own)
  await waitForBoth(primary.cluster)
  let dead: Host | undefined
  return {
    url: urlOfAll(readClusterConnection(primary.cluster).password, [primary.port, ports[1]]),
    standbys: 1,
    goesAlone: false,
    killPrimary: async () => void process.kill(pidOf(primary.cluster), 'SIGKILL'),
    killStandby: async () => {
      process.kill(pidOf(standby!.cluster), 'SIGKILL')
      ;[dead, standby] = [standby, undefined]
    },
    failOver: async () => {
      const began = performance.now()
      await untilDead(primary.cluster)
      const pid = runningPostgresPid(primary.cluster)
      if (pid) process.kill(pid, 'SIGKILL')
      const chosen = standby!
      await asSuperuser(chosen.cluster, (client) => client.query('select pg_promote(true, 60)'))
      ;[dead, primary, standby] = [primary, chosen, undefined]
      return Math.round(performance.now() - began)
    },
    makeWhole: async () => {
      await dead!.server.stop()
      const place = dead!.cluster === cluster ? folders[0] : folders[1]
      standby = await startStandby(primary, place, dead!.port, own)
      await waitForBoth(primary.cluster)
      return 'a base backup'
    },
    stop: async () => {
      for (const host of [primary, standby, dead]) if (host && existsSync(host.cluster)) await host.server.stop()
    },
  }
}
