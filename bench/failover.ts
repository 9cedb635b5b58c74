// npm run failover: sales, refunds, recharges and transfers at a proxy before three nodes, on a database with a
// standby. First the nodes are upgraded one after the other, with a migration of the largest table; then the primary is
// killed, twice, and then the standby. Nothing acknowledged may be lost or doubled, no call may fail twice during the
// upgrade, everything must be saved again 30 seconds after the death of a primary, and nothing may be acknowledged by
// one database alone. With --patroni the real Patroni runs the databases with the settings docs/operations.md advises;
// then machines also hang and continue, and so does Patroni alone beside a primary that is not fenced.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { productModules } from '#apps/server/src/modules.ts'
import { NO_TRANSACTION_MARKER } from '#kit/server/database/migrate.ts'
import { createPartitionedIndexSql } from '#kit/server/database/partitions.ts'
import { tablesOfModules } from '#kit/server/mount/module-tables.ts'
import { freshTree } from '../scripts/recipe-steps.ts'
import { makePair } from './chaos-pair.ts'
import { makePatroni } from './chaos-patroni.ts'
import { callThroughProxy } from './chaos-parts.ts'
import { play } from './chaos-play.ts'
import { acknowledged, callNode, counts, untilSaved, type Stage } from './chaos-trade.ts'
import { makeWorld, type World } from './chaos-world.ts'
import { lackingPackages } from './patroni-member.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    only: { type: 'string', default: '' },
    patroni: { type: 'boolean', default: false },
    members: { type: 'string', default: '3' },
  },
})
const between = Number(values.seconds) * 1000
const HOME_MADE = ['upgrade', 'parts', 'primary', 'standby'] as const
/** Scenarios that need an expiring key, which the home-made tool does not have. */
const OF_PATRONI = ['primary', 'standby', 'hung', 'unfenced'] as const
type Play = (typeof HOME_MADE | typeof OF_PATRONI)[number]
const possible: readonly Play[] = values.patroni ? OF_PATRONI : HOME_MADE
const plays = possible.filter((play) => !values.only || play === values.only)
if (!(between >= 1000 && between <= 60_000) || !plays.length || !['2', '3'].includes(values.members)) {
  console.error(`npm run failover -- [--seconds 8] [--only ${HOME_MADE.join('|')}]   seconds of trade between, 1 to 60
npm run failover -- --patroni [--members 3] [--seconds 8] [--only ${OF_PATRONI.join('|')}]   2 or 3 databases`)
  process.exit(2)
}
const lacking = values.patroni ? lackingPackages() : []
if (lacking.length) {
  console.error(`Patroni cannot be tried here: apt-get install ${lacking.join(' ')}`)
  process.exit(2)
}
const log = (line: string) => console.log(line)
const SERVED_MS = 30_000
const faults: string[] = []

type Counts = typeof counts
const sinceOf = (before: Counts) =>
  (['answered', 'later', 'unreachable', 'crashed', 'twice'] as const).map((key) => counts[key] - before[key])
const lateOf = ({ registers }: Stage) => registers.reduce((all, register) => all + register.figures().sentLate, 0)
const line = (name: string, figures: readonly (number | string)[]) =>
  log([name.padEnd(38), ...figures.map((one) => String(one).padStart(11))].join(''))

/** Creates a copy of the tree with two migrations: a new column, and an index built concurrently. */
function newVersion(): { folder: string; remove: () => void } {
  const tree = freshTree()
  const write = (name: string, text: string) => writeFileSync(join(tree.folder, 'migrations', name), text)
  write('999912310000-tried.sql', 'alter table "shopping_order" add column "tried" text;\n')
  const orders = tablesOfModules(productModules).filter(({ name }) => name === 'shopping_order')
  const index = orders.flatMap((table) =>
    createPartitionedIndexSql(table, 'shopping_order_tried', '(tenant_id, tried, id)'),
  )
  write('999912310000-tried_apart.sql', `${[NO_TRANSACTION_MARKER, ...index].join('\n')}\n`)
  return tree
}

/**
 * Stops one node after the other gracefully and starts it as the new version, while the others serve as the old one.
 */
async function upgrade(world: World, stage: Stage): Promise<void> {
  const tree = newVersion()
  try {
    for (const node of world.nodes) {
      await pause(between)
      const [before, since, began] = [{ ...counts }, meter(world, stage), performance.now()]
      await node.stop()
      node.become(tree.folder)
      await node.start()
      const [crashed, twice] = sinceOf(before).slice(3)
      line(`${node.name} becomes the new version`, [Math.round(performance.now() - began), ...since()])
      if (twice! + crashed!) faults.push(`${twice} calls failed twice and ${crashed} crashed while ${node.name} went`)
    }
  } finally {
    tree.remove()
  }
}

/** Returns a function that gives the calls answered since now. */
function meter(world: World, stage: Stage): () => number[] {
  const before = { ...counts }
  const [late, again] = [lateOf(stage), world.proxy.again()]
  return () => [...sinceOf(before).slice(0, 3), lateOf(stage) - late, world.proxy.again() - again]
}

async function makeWhole({ pair }: World): Promise<void> {
  const began = performance.now()
  const means = await pair!.makeWhole()
  log(`  (all follow again after ${Math.round(performance.now() - began)} ms, by ${means})`)
}

const lineOfSaved = (which: string, saved: number, figures: number[]) => {
  line(which, [saved, ...figures])
  if (saved > SERVED_MS) faults.push(`${which}: nobody saved for ${saved} ms`)
}

/** Loses the primary in the given way and waits for the failover. */
async function losePrimary(world: World, token: string, stage: Stage, which: string, lose: () => Promise<void>) {
  await pause(between)
  const since = meter(world, stage)
  await lose()
  const [saved, promoted] = await Promise.all([untilSaved(world, 0, token, stage), world.pair!.failOver()])
  lineOfSaved(which, saved, since())
  log(`  (it was seen and another promoted after ${promoted} ms)`)
}

async function killPrimaries(world: World, token: string, stage: Stage): Promise<void> {
  for (const which of ['the primary is killed', 'the new primary is killed']) {
    await losePrimary(world, token, stage, which, () => world.pair!.killPrimary())
    await makeWhole(world)
  }
}

const ALONE_MS = 5000
/** Commits already sent to the standby may still be acknowledged. */
const IN_FLIGHT_MS = 500

async function killStandbys(world: World, token: string, stage: Stage): Promise<void> {
  for (let left = world.pair!.standbys - 1; left; left--) {
    await pause(between)
    const since = meter(world, stage)
    await world.pair!.killStandby()
    lineOfSaved('the synchronous standby is killed', await untilSaved(world, 0, token, stage), since())
  }
  await killLastStandby(world, token, stage)
}

/** Kills the last standby: the primary must acknowledge nothing, so saving waits and reading works. */
async function killLastStandby(world: World, token: string, stage: Stage): Promise<void> {
  await pause(between)
  const pair = world.pair!
  await pair.killStandby()
  await pause(IN_FLIGHT_MS)
  const before = acknowledged.recharges.size
  const saved = untilSaved(world, 0, token, stage)
  await pause(ALONE_MS)
  const { status } = await callNode(world, 0, token, '/api/shop/rechargeLog/list?current=1&size=10')
  // Where the primary may go on alone, waits until it does.
  if (pair.goesAlone) await saved
  const alone = acknowledged.recharges.size - before
  await makeWhole(world)
  line(pair.standbys > 1 ? 'the last standby is killed' : 'the standby is killed', [IN_FLIGHT_MS + (await saved)])
  log(`  (for ${ALONE_MS} ms of it reading answered ${status}, and ${alone} saves were acknowledged)`)
  if ((alone && !pair.goesAlone) || status !== 200)
    faults.push(`without the standby ${alone} saves were acknowledged, reading said ${status}`)
}

/** Freezes the standby's machine: connections stay open and nothing answers. */
async function hangStandby(world: World, token: string, stage: Stage): Promise<void> {
  await pause(between)
  const { freezer } = world.pair!
  const since = meter(world, stage)
  await freezer!.freeze('synchronous', 'machine')
  await pause(IN_FLIGHT_MS)
  const saved = IN_FLIGHT_MS + (await untilSaved(world, 0, token, stage))
  lineOfSaved("the standby's machine hangs", saved, since())
  freezer!.wake()
  await makeWhole(world)
}

/** Freezes the standby's machine, then the primary's, which later continues as if nothing had happened. */
async function hang(world: World, token: string, stage: Stage): Promise<void> {
  await hangStandby(world, token, stage)
  const { freezer } = world.pair!
  await losePrimary(world, token, stage, "the primary's machine hangs", () => freezer!.freeze('primary', 'machine'))
  await pause(between)
  const since = meter(world, stage)
  freezer!.wake()
  lineOfSaved('it goes on, and thinks it is primary', await untilSaved(world, 0, token, stage), since())
  await makeWhole(world)
}

/**
 * Freezes only Patroni beside the primary: its key expires and another is promoted, without the old one being fenced.
 */
async function leaveUnfenced(world: World, token: string, stage: Stage): Promise<void> {
  await pause(between)
  const { freezer, failOver } = world.pair!
  await freezer!.freeze('primary', 'keeper')
  log(`  (Patroni hangs beside its PostgreSQL: another is promoted after ${await failOver()} ms)`)
  const isAlone = await freezer!.acknowledges(ALONE_MS)
  const { status } = await callNode(world, 0, token, '/api/shop/rechargeLog/list?current=1&size=10')
  log(
    `  (for ${ALONE_MS} ms the old primary acknowledged ${isAlone ? 'alone' : 'nothing'}; reading answered ${status})`,
  )
  if (isAlone) faults.push('an old primary nobody fenced acknowledged what no other has')
  const since = meter(world, stage)
  freezer!.wake()
  lineOfSaved('Patroni goes on and fences the old one', await untilSaved(world, 0, token, stage), since())
  await makeWhole(world)
}

/** Takes broker and object store down, one after the other: the proxy must still use every node. */
async function loseParts(world: World, token: string, stage: Stage): Promise<void> {
  for (const part of [world.broker, world.store]) {
    if (!part) continue
    await pause(between)
    const since = meter(world, stage)
    await part.kill()
    faults.push(...(await callThroughProxy(world, token, stage, part.name)))
    await part.start()
    lineOfSaved(`the ${part.name} is away`, await untilSaved(world, 0, token, stage), since())
  }
}

const STRIKES: Record<Play, (world: World, token: string, stage: Stage) => Promise<void>> = {
  upgrade: (world, _token, stage) => upgrade(world, stage),
  parts: loseParts,
  primary: killPrimaries,
  standby: killStandbys,
  hung: hang,
  unfenced: leaveUnfenced,
}

async function main(): Promise<number> {
  const standbys = values.patroni ? `${Number(values.members) - 1} standbys kept by Patroni` : 'a standby'
  log(`Making a world: a database with ${standbys} and a day of the story, three nodes and a proxy…`)
  const pairing = values.patroni ? makePatroni(Number(values.members)) : makePair
  const world = await makeWorld(log, { nodes: 3, makePair: pairing })
  const code = await play(world, log, async (token, stage) => {
    log('')
    line('', ['ms', 'answered', 'later', 'nobody', 'sold late', 'led again'])
    for (const one of plays) await STRIKES[one](world, token, stage)
    await pause(between)
  })
  for (const fault of faults) log(`WRONG: ${fault}`)
  return faults.length ? 1 : code
}

// What was started ends with this process, however that ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
process.exit(await main())
