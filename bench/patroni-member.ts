// One machine of a Patroni cluster: Patroni and the PostgreSQL it starts, with the settings docs/operations.md advises,
// on loopback and under an account other than root.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { openSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import {
  choosePostgresAccount,
  createPrivateFolder,
  postgresSpawnOptions,
  writePrivateFile,
} from '#apps/database/embedded-postgres-installation.ts'
import { findFreePort, runningPostgresPid } from '#apps/database/embedded-postgres-process.ts'
import { openClient } from '#kit/server/database/connections.ts'
import { withClient } from './chaos-pair.ts'
import { CHAOS_MARK } from './folder.ts'

const DOCUMENT = new URL('../docs/operations.md', import.meta.url)
/** Debian's folder of PostgreSQL's programs by version, which are not in the path. */
const VERSIONS = '/usr/lib/postgresql'
const PROGRAMS = ['initdb', 'pg_basebackup', 'pg_controldata', 'pg_ctl', 'pg_rewind', 'postgres']

type Passwords = Record<'superuser' | 'replication' | 'owner', string>
export type Cluster = {
  folder: string
  etcd: number
  passwords: Passwords
  settings: Record<string, string>
  /** Whether a primary without a standby acknowledges nothing. */
  isStrict: boolean
}
export type Member = {
  name: string
  port: number
  start: () => void
  /** Sends a signal to all its processes, as when a machine dies, stops or continues, or to Patroni alone. */
  signal: (name: NodeJS.Signals, what?: 'machine' | 'keeper') => void
  /**
   * Returns whether Patroni reports the role: `primary`, or `synchronous` for the standby with everything acknowledged.
   */
  is: (role: 'primary' | 'synchronous') => Promise<boolean>
  ask: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>
  /** How it became a standby since its last signal. */
  means: () => string
}

const where = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim()

/** Returns the folder of the newest PostgreSQL with all programs that Patroni calls; '' when there is none. */
function findPrograms(): string {
  const own = where('pg_config') && spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' }).stdout.trim()
  const versions = foldersOf(VERSIONS).sort((a, b) => Number(b) - Number(a))
  const places = [...versions.map((version) => join(VERSIONS, version, 'bin')), ...(own ? [own] : [])]
  return places.find((place) => PROGRAMS.every((program) => foldersOf(place).includes(program))) ?? ''
}

function foldersOf(place: string): string[] {
  try {
    return readdirSync(place)
  } catch {
    return []
  }
}

/** Returns the Debian packages needed for Patroni that this machine lacks. */
export const lackingPackages = (): string[] => [
  ...(where('patroni') ? [] : ['patroni']),
  ...(where('etcd') ? [] : ['etcd-server']),
  ...(findPrograms() ? [] : ['postgresql']),
]

/**
 * Returns the etcd protocol to use. Before 3.1, with etcd3, a Patroni that hung overwrites the new primary's key when
 * it continues (patroni/patroni#2689, #2693); with the older protocol it does not.
 */
export function etcdProtocol(): 'etcd' | 'etcd3' {
  const { stdout } = spawnSync('patroni', ['--version'], { encoding: 'utf8' })
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout) ?? []
  return Number(major) * 100 + Number(minor) < 301 ? 'etcd' : 'etcd3'
}

/** Returns the Patroni settings advised in docs/operations.md, so that exactly these are tested. */
function advised(isStrict: boolean): string {
  const block = /^## A standby$.*?^```yaml\n(.*?)^```$/ms.exec(readFileSync(DOCUMENT, 'utf8'))?.[1]
  if (!block) throw new Error('docs/operations.md advises no settings of Patroni')
  const strict = 'synchronous_mode_strict: true'
  if (!block.includes(strict)) throw new Error(`docs/operations.md does not advise ${strict}`)
  const text = isStrict ? block : block.replace(strict, 'synchronous_mode_strict: false')
  return text.replace(/^/gm, '    ')
}

const local = (port: number) => `127.0.0.1:${port}`

/**
 * Returns the configuration of one member as JSON, which is valid YAML; only the advised settings are inserted as
 * written.
 */
function configOf(cluster: Cluster, member: { name: string; port: number; rest: number; home: string }): string {
  const { passwords, settings, isStrict, etcd } = cluster
  const { name, port, rest, home } = member
  const account = (username: string, password: string) => ({ username, password })
  const superuser = account('postgres', passwords.superuser)
  const postgresql = {
    listen: local(port),
    connect_address: local(port),
    data_dir: join(home, 'cluster'),
    bin_dir: findPrograms(),
    pgpass: join(home, 'pgpass'),
    pg_hba: ['all', 'replication'].map((database) => `host ${database} all 127.0.0.1/32 scram-sha-256`),
    authentication: { superuser, rewind: superuser, replication: account('replicator', passwords.replication) },
    parameters: { ...settings, unix_socket_directories: '', password_encryption: 'scram-sha-256' },
  }
  const initdb = [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums']
  return `scope: play
name: ${name}
restapi: ${JSON.stringify({ listen: local(rest), connect_address: local(rest) })}
${etcdProtocol()}: ${JSON.stringify({ host: local(etcd) })}
bootstrap:
  initdb: ${JSON.stringify(initdb)}
  dcs:
${advised(isStrict)}
postgresql: ${JSON.stringify(postgresql)}
`
}

/**
 * Starts a program with a minimal environment and in a process group of its own, so that only this process ends it,
 * last of all.
 */
export function launch(folder: string, program: string, args: string[], log: string): ChildProcess {
  const { env, ...as } = postgresSpawnOptions(choosePostgresAccount(folder))
  const output = openSync(log, 'a')
  const stdio = ['ignore', output, output] as const
  return spawn(where(program), args, {
    ...as,
    env: { ...env, [CHAOS_MARK]: folder },
    detached: true,
    stdio: [...stdio],
  })
}

/** Returns the processes and all their descendants, parents first. */
function processTreeOf(pids: number[]): number[] {
  const { stdout } = spawnSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const rows = stdout
    .trim()
    .split('\n')
    .map((row) => row.trim().split(/\s+/).map(Number))
  const childrenOf = (pid: number): number[] =>
    rows.filter(([, parent]) => parent === pid).flatMap(([child]) => [child!, ...childrenOf(child!)])
  return pids.flatMap((pid) => [pid, ...childrenOf(pid)])
}

function signalProcess(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has exited meanwhile.
  }
}

export async function makeMember(cluster: Cluster, name: string): Promise<Member> {
  const { folder, passwords } = cluster
  const identity = choosePostgresAccount(folder)
  const home = join(folder, name)
  createPrivateFolder(home, identity)
  const [port, rest] = [await findFreePort(), await findFreePort()]
  const config = join(home, 'patroni.yml')
  writePrivateFile(config, configOf(cluster, { name, port, rest, home }), { identity })

  const log = join(tmpdir(), `store-chaos-patroni-${name}.log`)
  const readLog = () => readFileSync(log, 'utf8')
  let keeper: ChildProcess | undefined
  let since = 0

  const pids = (what: 'machine' | 'keeper') => {
    const patroni = keeper && keeper.exitCode === null && !keeper.signalCode ? [keeper.pid!] : []
    const postmaster = what === 'machine' ? runningPostgresPid(join(home, 'cluster')) : undefined
    return [...patroni, ...(postmaster ? [postmaster] : [])]
  }

  return {
    name,
    port,
    start: () => {
      keeper = launch(folder, 'patroni', [config], log)
    },
    signal: (signal, what = 'machine') => {
      since = readLog().length
      for (const pid of processTreeOf(pids(what))) signalProcess(pid, signal)
    },
    is: async (role) => {
      const url = `http://${local(rest)}/${role}`
      const answer = await fetch(url, { signal: AbortSignal.timeout(1000) }).catch(() => undefined)
      return answer?.status === 200
    },
    ask: (work) => {
      const login = { user: 'postgres', password: passwords.superuser, database: 'postgres' }
      return withClient(openClient({ ...login, host: '127.0.0.1', port, connectionTimeoutMillis: 3000 }), work)
    },
    means: () => {
      const text = readLog().slice(since)
      if (text.includes('replica has been created using')) return 'a base backup'
      return text.includes('running pg_rewind') ? 'pg_rewind' : 'what it had'
    },
  }
}
