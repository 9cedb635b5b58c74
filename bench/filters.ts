// npm run bench -- filters [--rows 1000000] [--data ./filters] [--families shoppingOrder,wxUser] [--within 300]
// [--plans]: runs every filter and sort order that the lists of large resources declare, through the product's own
// server over a million rows of one tenant each, as its administrator and as the boss of one shop. Prints those that
// take longer than allowed, and what their plans spend the time on.
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { createServerApp } from '#apps/server/src/app.ts'
import type { Resource } from '#kit/resource/define-resource.ts'
import { createOwnerPool } from '#kit/server/database/db.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { asksOf, type BenchQuery } from './asks.ts'
import { costOfWriting, FEW, fillResource, idOf } from './fill.ts'
import { benchFolder, BENCH_START } from './folder.ts'
import { median } from './load.ts'
import { heaviestNode, planOf, statementsOf } from './plans.ts'
import { withoutTotalsCache } from './totals.ts'
import { benchBoss, benchTenant, signIn } from './tenant.ts'

type Any = Resource<any, any>
type Person = { who: string; headers: Record<string, string> }
type FilterTiming = {
  who: string
  what: string
  query: Record<string, string>
  first: number
  next: number
  total: number
}

const option = (name: string) =>
  process.argv.includes(`--${name}`) ? process.argv[process.argv.indexOf(`--${name}`) + 1] : undefined
const ROWS = Number(option('rows') ?? 1_000_000)
const WITHIN_MS = Number(option('within') ?? 300)
const only = option('families')?.split(',')
const kept = option('data')
const log = (line: string) => console.log(line)

/** Server settings for fast filling: the data need not survive a crash. */
const QUICK_TO_FILL = {
  fsync: 'off',
  full_page_writes: 'off',
  archive_mode: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '16GB',
}
const folder = kept ? resolve(kept) : benchFolder()
const database = await startEmbeddedPostgres({
  dataDir: join(folder, 'postgres'),
  log: log,
  settings: QUICK_TO_FILL,
})
const owner = createOwnerPool(database.url)

await migrate(database.url, new URL('../migrations/', import.meta.url))
const app = await createServerApp({ ...BENCH_START, dataDir: folder, databaseUrl: database.url })
const resources = [...app.services.registry.served.values()].map(({ resource }) => resource as Any)
const rowsOf = (name?: string) => (resources.find((one) => one.name === name)?.indexedList ? ROWS : FEW)

async function fill(tenantId: string, resources: readonly Any[]): Promise<void> {
  for (const resource of resources) {
    const { rows: existing } = await owner.query(`select 1 from "${resource.table}" where id = $1`, [idOf(1)])
    if (existing.length) continue
    const began = performance.now()
    await fillResource(owner, database.url, resource, tenantId, rowsOf)
    log(`${resource.name}: ${rowsOf(resource.name)} rows in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  }
}

const pathOf = (resource: Any, query: Record<string, string>, current = 1) =>
  `${resource.path}/${resource.list.path}?${new URLSearchParams({ ...query, current: String(current) })}`

async function timed(path: string, { headers }: Person): Promise<{ ms: number; total: number }> {
  const began = performance.now()
  const answer = await app.http.inject({ url: path, headers })
  const ms = performance.now() - began
  if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.body.slice(0, 200)}`)
  return { ms, total: answer.json().data.total }
}

/**
 * Measures a list's first page, with its total not cached, and then its second page. The better of two tries counts,
 * since the machine has other work.
 */
async function measurePages(resource: Any, person: Person, [what, query]: BenchQuery): Promise<FilterTiming> {
  const one = async (current: number) => timed(pathOf(resource, query, current), person)
  const once = await withoutTotalsCache(() => one(1))
  const { ms: again, total } = await one(1)
  const next = Math.min((await one(2)).ms, (await one(2)).ms)
  return { who: person.who, what, query, first: Math.min(once.ms, again), next, total }
}

/** Prints what the plan of a slow query spends its time on. */
async function explainSlow(tenantId: string, resource: Any, person: Person, { query, first, next }: FilterTiming) {
  const path = pathOf(resource, query, first >= next ? 1 : 2)
  for (const statement of await withoutTotalsCache(() => statementsOf(resource.table, () => timed(path, person)))) {
    log(`    ${await heaviestNode(owner, tenantId, statement)}`)
    if (process.argv.includes('--plans'))
      for (const line of await planOf(owner, tenantId, statement)) log(`      ${String(line)}`)
  }
}

const ms = (values: number[]) => Math.round(median(values))

async function measureResource(tenantId: string, resource: Any, people: readonly Person[]): Promise<string[]> {
  log(`\n${resource.name}`)
  const rows: string[] = []
  for (const person of people) {
    const all: FilterTiming[] = []
    for (const one of asksOf(resource, rowsOf)) all.push(await measurePages(resource, person, one))
    const slow = all.filter(({ first, next }) => Math.max(first, next) > WITHIN_MS)
    const slowest = all.toSorted((one, other) => Math.max(other.first, other.next) - Math.max(one.first, one.next))[0]!
    const { what, total } = slowest
    const firsts = ms(all.map(({ first }) => first))
    const nexts = ms(all.map(({ next }) => next))
    rows.push(
      `| ${resource.name} | ${person.who} | ${all.length} | ${firsts} | ${nexts} | ${what} (${total}) | ` +
        `${Math.round(Math.max(slowest.first, slowest.next))} | ${slow.length} |`,
    )
    for (const one of slow) {
      log(`  ${one.who}, ${one.what}: ${one.first.toFixed(0)}, second page ${one.next.toFixed(0)} ms (${one.total})`)
      await explainSlow(tenantId, resource, person, one)
    }
  }
  const cost = await costOfWriting(owner, resource, tenantId, rowsOf)
  log(`  an insert: ${cost.without.toFixed(0)} µs without the indexes of what is offered, ${cost.with.toFixed(0)} with`)
  return rows
}

try {
  await app.seed()
  await app.start()
  const tenantId = await benchTenant(app, owner)
  const big = resources.filter(({ name, indexedList: isBig }) => isBig && (!only || only.includes(name)))
  const small = ['basicShopInfo', 'goodType', 'rechargeConf', 'deviceInfo', 'supplierInfo']
  await fill(tenantId, [...resources.filter(({ name }) => small.includes(name)), ...big])
  const admin = { who: 'administrator', headers: await signIn(app, tenantId) }
  await benchBoss(app, tenantId, idOf(7))
  const boss = { who: 'boss', headers: await signIn(app, tenantId, 'boss', 'boss') }
  const rows: string[] = []
  for (const resource of big)
    rows.push(...(await measureResource(tenantId, resource, 'shop' in resource.scope ? [admin, boss] : [admin])))
  log('\n| resource | who | asked | median, ms | its second page | slowest (found) | ms | over |')
  log(`| --- | --- | ---: | ---: | ---: | --- | ---: | ---: |\n${rows.join('\n')}`)
  await app.stop()
} finally {
  await owner.end()
  await database.stop()
  if (!kept) rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
