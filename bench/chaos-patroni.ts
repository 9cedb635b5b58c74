// A database cluster run by the real Patroni with an etcd on loopback, which decide who is primary.
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { choosePostgresAccount, createPrivateFolder } from '#apps/database/embedded-postgres-installation.ts'
import { ensureOwnerRole } from '#apps/database/embedded-postgres.ts'
import { findFreePort } from '#apps/database/embedded-postgres-process.ts'
import { until, urlOfAll, type Freezer, type MakePair } from './chaos-pair.ts'
import { etcdProtocol, launch, makeMember, type Cluster, type Member } from './patroni-member.ts'

const NAMES = ['one', 'two', 'three']
/**
 * Timeout in seconds for all members to follow again: a member that dies during its copy is copied anew, on a busy
 * machine.
 */
const WHOLE_S = 180

async function startEtcd(folder: string) {
  const [client, peer] = [await findFreePort(), await findFreePort()]
  const [own, others] = [client, peer].map((port) => `http://127.0.0.1:${port}`)
  const home = join(folder, 'etcd')
  createPrivateFolder(home, choosePostgresAccount(folder))
  const urls = {
    'listen-client-urls': own,
    'advertise-client-urls': own,
    'listen-peer-urls': others,
    'initial-advertise-peer-urls': others,
    'initial-cluster': `play=${others}`,
  }
  const old = etcdProtocol() === 'etcd' ? ['--enable-v2=true'] : []
  const args = [
    '--name=play',
    `--data-dir=${home}`,
    ...old,
    ...Object.entries(urls).map(([key, url]) => `--${key}=${url}`),
  ]
  const process = launch(folder, 'etcd', args, join(tmpdir(), 'store-chaos-etcd.log'))
  const isWell = () =>
    fetch(`${own}/health`).then(
      (answer) => answer.ok,
      () => false,
    )
  await until('etcd', isWell)
  return { port: client, kill: () => void process.kill('SIGKILL') }
}

async function findOne(members: Iterable<Member>, role: 'primary' | 'synchronous'): Promise<Member | undefined> {
  const all = [...members]
  const states = await Promise.all(all.map((member) => member.is(role)))
  return all[states.indexOf(true)]
}

/**
 * Returns whether the primary accepts writes: Patroni already calls a host primary that it has only told to become one.
 */
const hasOpened = async (member: Member | undefined): Promise<boolean> => {
  const query = 'select pg_is_in_recovery() as "isStandby"'
  const result = await member?.ask((client) => client.query<{ isStandby: boolean }>(query)).catch(() => undefined)
  return result?.rows[0]?.isStandby === false
}

/** Returns whether all other members follow the primary and one of them is synchronous. */
async function isWhole(members: readonly Member[]): Promise<boolean> {
  const primary = await findOne(members, 'primary')
  if (!primary || !(await findOne(members, 'synchronous'))) return false
  const query = "select sync_state from pg_stat_replication where state = 'streaming'"
  const states = await primary.ask((client) => client.query<{ sync_state: string }>(query)).catch(() => undefined)
  return states?.rowCount === members.length - 1 && states.rows.some((row) => row.sync_state === 'sync')
}

/** Writes to a member's own database. Returns whether it acknowledges in time. */
async function acknowledges(member: Member, ms: number): Promise<boolean> {
  const switchover = member
    .ask((client) => client.query('create table written_alone ()'))
    .then(
      () => true,
      () => false,
    )
  return Promise.race([switchover, pause(ms).then(() => false)])
}

/**
 * Creates a Patroni cluster. With three members, none acknowledges alone; with two, one goes on alone when the other is
 * dead.
 */
export const makePatroni =
  (count: number): MakePair =>
  async (folder, settings) => {
    const random = () => randomBytes(18).toString('hex')
    const passwords = { superuser: random(), replication: random(), owner: random() }
    const etcd = await startEtcd(folder)
    const cluster: Cluster = { folder, etcd: etcd.port, passwords, settings, isStrict: count > 2 }
    const members: Member[] = []
    for (const name of NAMES.slice(0, count)) members.push(await makeMember(cluster, name))
    const end = () => {
      for (const member of members) member.signal('SIGKILL')
      etcd.kill()
    }
    // Runs before the folder is removed, which also happens at exit.
    process.prependListener('exit', end)
    const [first, ...others] = members
    first!.start()
    await until('a first primary', () => first!.is('primary'))
    for (const member of others) member.start()
    await until('a cluster', () => isWhole(members), WHOLE_S)
    // Needs all members: a primary that acknowledges nothing alone cannot create a role either.
    await first!.ask((client) => ensureOwnerRole(client, { password: passwords.owner }))
    return {
      url: urlOfAll(
        passwords.owner,
        members.map(({ port }) => port),
      ),
      ...handlesOf(members),
      stop: async () => end(),
    }
  }

function handlesOf(members: readonly Member[]) {
  const dead = new Set<Member>()
  const living = () => members.filter((member) => !dead.has(member))
  let frozen: Member | undefined
  async function lose(role: 'primary' | 'synchronous'): Promise<Member> {
    let one: Member | undefined
    await until(`a ${role} one to lose`, async () => Boolean((one = await findOne(living(), role))))
    dead.add(one!)
    return one!
  }
  const freezer: Freezer = {
    freeze: async (who, what) => {
      frozen = await lose(who)
      frozen.signal('SIGSTOP', what)
    },
    acknowledges: (ms) => acknowledges(frozen!, ms),
    wake: () => frozen!.signal('SIGCONT'),
  }
  return {
    standbys: members.length - 1,
    goesAlone: members.length === 2,
    killPrimary: async () => (await lose('primary')).signal('SIGKILL'),
    killStandby: async () => (await lose('synchronous')).signal('SIGKILL'),
    failOver: async () => {
      const began = performance.now()
      await until('a new primary', async () => hasOpened(await findOne(living(), 'primary')))
      return Math.round(performance.now() - began)
    },
    makeWhole: async () => {
      const back = [...dead]
      for (const member of back) if (member !== frozen) member.start()
      dead.clear()
      frozen = undefined
      await until('a cluster', () => isWhole(members), WHOLE_S)
      return [...new Set(back.map((member) => member.means()))].join(' and ')
    },
    freezer,
  }
}
