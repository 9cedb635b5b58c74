// npm run failover: sales, refunds, recharges and transfers at a proxy before three nodes, on a database with a
// standby. First the nodes become a new version one after the other, with a migration of the largest table; then the
// primary is killed, twice, and then the standby. Nothing acknowledged may be lost or doubled, no call may fail twice
// in the upgrade, 30 seconds after the death of a primary everything must be saved again, and nothing is acknowledged
// by one database alone.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { rooms } from '#apps/server/src/rooms.ts'
import { APART } from '#kit/server/database/migrate.ts'
import { buildInPartsSql } from '#kit/server/database/months.ts'
import { tablesOfRooms } from '#kit/server/database/room-tables.ts'
import { freshTree } from '../scripts/recipe-steps.ts'
import { play } from './chaos-play.ts'
import { acknowledged, ask, counts, untilSaved, type Stage } from './chaos-trade.ts'
import { makeWorld, type World } from './chaos-world.ts'

const PLAYS = ['upgrade', 'primary', 'standby'] as const
const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, only: { type: 'string', default: '' } },
})
const between = Number(values.seconds) * 1000
if (!(between >= 1000 && between <= 60_000) || (values.only && !PLAYS.some((one) => one === values.only))) {
  console.error(`npm run failover -- [--seconds 8] [--only ${PLAYS.join('|')}]   seconds of trade between, 1 to 60`)
  process.exit(2)
}
const say = (line: string) => console.log(line)
const SERVED_MS = 30_000
const isPlayed = (one: (typeof PLAYS)[number]) => !values.only || values.only === one
const faults: string[] = []

type Counts = typeof counts
const sinceOf = (before: Counts) =>
  (['answered', 'later', 'unreachable', 'crashed', 'twice'] as const).map((key) => counts[key] - before[key])
const lateOf = ({ registers }: Stage) => registers.reduce((all, register) => all + register.figures().sentLate, 0)
const line = (name: string, figures: readonly (number | string)[]) =>
  say([name.padEnd(38), ...figures.map((one) => String(one).padStart(11))].join(''))

/** The version after this one: a column more, and an index built while others write. */
function newVersion(): { folder: string; remove: () => void } {
  const tree = freshTree()
  const write = (name: string, text: string) => writeFileSync(join(tree.folder, 'migrations', name), text)
  write('999912310000-tried.sql', 'alter table "shopping_order" add column "tried" text;\n')
  const orders = tablesOfRooms(rooms).filter(({ name }) => name === 'shopping_order')
  const index = orders.flatMap((table) => buildInPartsSql(table, 'shopping_order_tried', '(tenant_id, tried, id)'))
  write('999912310000-tried_apart.sql', `${[APART, ...index].join('\n')}\n`)
  return tree
}

/** One node after the other goes in peace and comes back as the new version; those behind it serve on as the old. */
async function upgrade({ nodes, proxy }: World, stage: Stage): Promise<void> {
  const tree = newVersion()
  try {
    for (const node of nodes) {
      await pause(between)
      const before = { ...counts }
      const [late, again, began] = [lateOf(stage), proxy!.again(), performance.now()]
      await node.stop()
      node.become(tree.folder)
      await node.start()
      const [answered, later, nobody, crashed, twice] = sinceOf(before)
      const figures = [answered!, later!, nobody!, lateOf(stage) - late, proxy!.again() - again]
      line(`${node.name} becomes the new version`, [Math.round(performance.now() - began), ...figures])
      if (twice! + crashed!) faults.push(`${twice} calls failed twice and ${crashed} crashed while ${node.name} went`)
    }
  } finally {
    tree.remove()
  }
}

async function losePrimary(world: World, token: string, stage: Stage): Promise<void> {
  const { pair } = world
  for (const which of ['the primary is killed', 'the new primary is killed']) {
    await pause(between)
    const before = { ...counts }
    const [late, again] = [lateOf(stage), world.proxy!.again()]
    pair!.killPrimary()
    const [saved, promoted] = await Promise.all([untilSaved(world, 0, token, stage), pair!.failOver()])
    const [answered, later, nobody] = sinceOf(before)
    line(which, [saved, answered!, later!, nobody!, lateOf(stage) - late, world.proxy!.again() - again])
    say(`  (its death was seen and the standby promoted after ${promoted} ms)`)
    if (saved > SERVED_MS) faults.push(`${which}: nobody saved for ${saved} ms`)
    const began = performance.now()
    await pair!.makeWhole()
    say(`  (a new standby follows after ${Math.round(performance.now() - began)} ms)`)
  }
}

const ALONE_MS = 5000

/** Without its standby the primary acknowledges nothing: who saves waits, who looks is answered. */
async function loseStandby(world: World, token: string, stage: Stage): Promise<void> {
  await pause(between)
  world.pair!.killStandby()
  // What was on its way to the standby may still be acknowledged.
  await pause(500)
  const before = acknowledged.recharges.size
  const saved = untilSaved(world, 0, token, stage)
  await pause(ALONE_MS)
  const { status } = await ask(world, 0, token, '/api/shop/rechargeLog/list?current=1&size=10')
  const alone = acknowledged.recharges.size - before
  await world.pair!.makeWhole()
  line('the standby is killed', [await saved])
  say(`  (for ${ALONE_MS} ms of it reading answered ${status}, and ${alone} saves were acknowledged)`)
  if (alone || status !== 200)
    faults.push(`without the standby ${alone} saves were acknowledged, reading said ${status}`)
}

async function main(): Promise<number> {
  say('Making a world: a database with a standby and a day of the story, three nodes and a proxy…')
  const world = await makeWorld(say, { nodes: 3 })
  const code = await play(world, say, async (token, stage) => {
    say('')
    line('', ['ms', 'answered', 'later', 'nobody', 'sold late', 'led again'])
    if (isPlayed('upgrade')) await upgrade(world, stage)
    if (isPlayed('primary')) await losePrimary(world, token, stage)
    if (isPlayed('standby')) await loseStandby(world, token, stage)
    await pause(between)
  })
  for (const fault of faults) say(`WRONG: ${fault}`)
  return faults.length ? 1 : code
}

// What was started ends with this process, however that ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
process.exit(await main())
