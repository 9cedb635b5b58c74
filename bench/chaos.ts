// npm run chaos: sales, refunds, recharges and transfers on two nodes while the parts they depend on are broken one by
// one. What was acknowledged must exist once and every sum must follow from its rows. Prints the time until each node
// saves again.
import { parseArgs } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { createOwnerPool } from '#kit/server/database/db.ts'
import { callNode, counts, newRechargeNo, tryTopUp, untilSaved, type Stage } from './chaos-trade.ts'
import { callThroughProxy } from './chaos-parts.ts'
import { play } from './chaos-play.ts'
import { makeWorld, type World } from './chaos-world.ts'

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, only: { type: 'string', default: '' } },
})
const between = Number(values.seconds) * 1000
if (!(between >= 1000 && between <= 60_000)) {
  console.error(
    'npm run chaos -- [--seconds 8] [--only full]   seconds of trade between two blows, 1 to 60; blows by a word',
  )
  process.exit(2)
}
const log = (line: string) => console.log(line)
const BROKEN_MS = 3000
const faults: string[] = []

type ChaosFault = { name: string; isPossible?: boolean; strike: () => Promise<unknown>; mend?: () => Promise<unknown> }
type Line = { name: string; again: number[]; calls: number[] }

/**
 * Prints what the nodes answer while the disk is full: reading works, and saving is refused with a request to try
 * again.
 */
async function askWhileFull(world: World, token: string, stage: Stage): Promise<void> {
  for (let n = 0; n < world.nodes.length; n++) {
    const reading = await callNode(world, n, token, '/api/shop/rechargeLog/list?current=1&size=10')
    const saving = await tryTopUp(world, n, token, stage.people[0]!, newRechargeNo())
    log(`  node ${n + 1} while the disk is full: reading ${reading.status}, saving ${saving.status} "${saving.msg}"`)
  }
}

function faultsDueAt(world: World, token: string, stage: Stage): ChaosFault[] {
  const { nodes, redis, broker, store, disk } = world
  const owner = createOwnerPool(world.url)
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`

  return [
    { name: 'all connections cut', strike: () => owner.query(cut) },
    { name: 'database killed', strike: async () => world.killDatabase() },
    ...[redis, broker, store].map((side, n): ChaosFault => {
      const name = ['Redis', 'broker', 'object store'][n]!
      return {
        name: `${name} away for three seconds`,
        isPossible: Boolean(side),
        strike: async () => {
          await side!.kill()
          faults.push(...(await callThroughProxy(world, token, stage, name)))
        },
        mend: () => side!.start(),
      }
    }),
    ...nodes.map((node): ChaosFault => ({
      name: `${node.name} killed, started after three`,
      strike: () => node.kill(),
      mend: () => node.start(),
    })),
    {
      name: 'disk full for three seconds',
      isPossible: Boolean(disk),
      strike: async () => {
        disk!.fill()
        await pause(2500)
        await askWhileFull(world, token, stage)
      },
      mend: async () => disk!.free(),
    },
    {
      name: 'connections cut and a node killed',
      strike: () => Promise.all([owner.query(cut), nodes[0]!.kill()]),
      mend: () => nodes[0]!.start(),
    },
  ]
}

/**
 * Injects one fault. The time until each node saves again counts from the fault or, when it has to be repaired, from
 * the begin of the repair.
 */
async function injectFault(world: World, token: string, stage: Stage, blow: ChaosFault): Promise<Line> {
  const before = { ...counts }
  await blow.strike()
  if (blow.mend) await pause(BROKEN_MS)
  const mended = blow.mend?.()
  const saves = world.nodes.map((_node, n) => untilSaved(world, n, token, stage))
  const [again] = await Promise.all([Promise.all(saves), mended])
  const calls = (['answered', 'later', 'unreachable'] as const).map((key) => counts[key] - before[key])
  return { name: blow.name, again, calls }
}

async function injectAllFaults(world: World, token: string, stage: Stage): Promise<void> {
  for (const blow of faultsDueAt(world, token, stage).filter(({ name }) => name.includes(values.only))) {
    if (blow.isPossible === false) {
      log(`${blow.name.padEnd(38)} not possible on this machine`)
      continue
    }
    await pause(between)
    const { name, again, calls } = await injectFault(world, token, stage, blow)
    log([name.padEnd(38), ...[...again, ...calls].map((n) => String(n).padStart(9))].join(''))
  }
  await pause(between)
}

const HEAD = `
${'what was broken'.padEnd(38)}   saves again after, ms   calls meanwhile
${[''.padEnd(38), ...['node 1', 'node 2', 'answered', 'later', 'nobody'].map((one) => one.padStart(9))].join('')}`

async function main(): Promise<number> {
  log(
    'Making a world: a database with a day of demo data, two nodes, their Redis, broker and object store, and a proxy…',
  )
  const world = await makeWorld(log)
  const code = await play(world, log, (token, stage) => {
    log(HEAD)
    return injectAllFaults(world, token, stage)
  })
  for (const fault of faults) log(`WRONG: ${fault}`)
  return faults.length ? 1 : code
}

// What was started ends with this process, however that ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
process.exit(await main())
