// npm run bench -- own-fields [--rows 1000000] [--rounds 9]: a list of many products of one tenant, filtered and sorted
// by fields the tenant added itself, against declared fields with the same values, interleaved in the same run; and the
// cost of writing a row before and after the fields were added.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { createServerApp } from '#apps/server/src/app.ts'
import { goodInfo } from '#domains/catalogue/products/index.ts'
import { updateCustomFieldIndexes } from '#domains/platform/custom-fields/api.ts'
import { ownField } from '#domains/platform/custom-fields/index.ts'
import { customColumnNameOf, toSqlName } from '#kit/resource/index.ts'
import { createOwnerPool } from '#kit/server/database/db.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { costOfWriting, FEW, fillResource, idOf, RARE } from './fill.ts'
import { benchFolder, BENCH_START } from './folder.ts'
import { benchTenant, signIn } from './tenant.ts'
import { withoutTotalsCache } from './totals.ts'

const option = (name: string, fallback: number) =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback
const ROWS = option('rows', 1_000_000)
const ROUNDS = option('rounds', 9)
const MOST = 2
const log = (line: string) => console.log(line)
const best = (times: readonly number[]) => Math.min(...times)

const folder = benchFolder()
const database = await startEmbeddedPostgres({
  dataDir: join(folder, 'postgres'),
  log: log,
  settings: { fsync: 'off', full_page_writes: 'off', archive_mode: 'off', wal_level: 'minimal', max_wal_senders: '0' },
})
const owner = createOwnerPool(database.url)
await migrate(database.url, new URL('../migrations/', import.meta.url))
const app = await createServerApp({ ...BENCH_START, dataDir: folder, databaseUrl: database.url })

/** The tenant's own fields, each with the declared field (`twin`) whose values it gets. */
const PAIRS = [
  { kind: 'text', twin: 'spec', zh: '自有规格', en: 'Own size' },
  { kind: 'money', twin: 'salePrice', zh: '自有售价', en: 'Own price' },
  { kind: 'ref', twin: 'shopId', zh: '自有门店', en: 'Own shop', refersTo: 'basicShopInfo' },
  { kind: 'boolean', twin: 'onSale', zh: '自有上架', en: 'Own on sale' },
  { kind: 'choice', twin: 'unit', zh: '自有单位', en: 'Own unit', options: [{ zh: '一', en: 'One' }] },
] as const
type Twin = (typeof PAIRS)[number]['twin']
type Query = Record<string, string>

const isOwn = (key: string) => customColumnNameOf(key) !== undefined

/** The queries, built for either field of a pair. */
const QUESTIONS: readonly [what: string, twin: Twin, query: (key: string) => Query][] = [
  ['yes or no: many', 'onSale', (key) => ({ [key]: isOwn(key) ? 'yes' : 'true' })],
  ['yes or no: few', 'onSale', (key) => ({ [key]: isOwn(key) ? 'no' : 'false' })],
  ['text: one of 300', 'spec', (key) => ({ [`${key}_equal`]: '王7' })],
  ['text: three rows', 'spec', (key) => ({ [`${key}_equal`]: RARE.text })],
  ['text: begins so', 'spec', (key) => ({ [`${key}_likeright`]: '王' })],
  ['text: has a part, many', 'spec', (key) => ({ [`${key}_like`]: '7' })],
  ['text: has a part, none', 'spec', (key) => ({ [`${key}_like`]: '没有' })],
  ['money: some', 'salePrice', (key) => ({ [`${key}_ge`]: '20', [`${key}_le`]: '21' })],
  ['money: all', 'salePrice', (key) => ({ [`${key}_ge`]: '0' })],
  ['money: none', 'salePrice', (key) => ({ [`${key}_ge`]: '99990' })],
  ['reference: one of 50', 'shopId', (key) => ({ [key]: idOf(7) })],
  ['reference: long ago', 'shopId', (key) => ({ [key]: idOf(FEW) })],
  ['choice: one of 300', 'unit', (key) => ({ [`${key}_equal`]: '王7' })],
  ['sorted by money, up', 'salePrice', (key) => ({ ascs: key })],
  ['sorted by money, down', 'salePrice', (key) => ({ descs: key })],
  ['reference, sorted by money', 'shopId', (key) => ({ [key]: idOf(7), descs: 'salePrice' })],
]

async function timed(query: Query, headers: Record<string, string>): Promise<{ ms: number; total: number }> {
  const url = `${goodInfo.path}/${goodInfo.list.path}?${new URLSearchParams({ ...query, current: '1', size: '10' })}`
  const began = performance.now()
  const answer = await withoutTotalsCache(async () => app.http.inject({ url, headers }))
  const ms = performance.now() - began
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.body.slice(0, 300)}`)
  return { ms, total: answer.json<{ data: { total: number } }>().data.total }
}

/** Adds the fields as the tenant's administrator would. Returns the key of each by its twin. */
async function addFields(headers: Record<string, string>): Promise<Map<Twin, string>> {
  const keys = new Map<Twin, string>()
  for (const { kind, twin, zh, en, ...more } of PAIRS) {
    const payload = { family: goodInfo.name, kind, labelZh: zh, labelEn: en, ...more }
    const answer = await app.http.inject({ method: 'POST', url: `${ownField.path}/submit`, headers, payload })
    if (answer.statusCode !== 200) throw new Error(answer.body)
    keys.set(twin, answer.json<{ data: { key: string } }>().data.key)
  }
  return keys
}

try {
  await app.seed()
  await app.start()
  const tenantId = await benchTenant(app, owner)
  const rowsOf = (name?: string) => (name === goodInfo.name ? ROWS : FEW)
  for (const name of ['basicShopInfo', 'goodType', goodInfo.name])
    await fillResource(owner, database.url, app.services.registry.resource(name), tenantId, rowsOf)
  const headers = await signIn(app, tenantId)
  const before = await costOfWriting(owner, goodInfo, tenantId, rowsOf)
  const keys = await addFields(headers)
  const valueOf = (twin: Twin) => (twin === 'onSale' ? `case when on_sale then 'yes' else 'no' end` : toSqlName(twin))
  const sets = [...keys].map(([twin, key]) => `${customColumnNameOf(key)!} = ${valueOf(twin)}`).join(', ')
  await owner.query(`alter table good_info disable trigger user`)
  await owner.query(`update good_info set ${sets} where tenant_id = $1`, [tenantId])
  await owner.query(`alter table good_info enable trigger user`)
  await owner.query('vacuum (full, analyze) good_info')
  const began = performance.now()
  const { built } = await updateCustomFieldIndexes(app.services)
  log(`${built.length} indexes in ${((performance.now() - began) / 1000).toFixed(1)} s, while others write`)
  await owner.query('vacuum analyze good_info')
  log(`\n${ROWS.toLocaleString()} goods of one tenant, the best of ${ROUNDS} in turns, ms\n`)
  log('| asked | rows | declared | own | ratio |\n| --- | ---: | ---: | ---: | ---: |')
  let worst = 0
  for (const [what, twin, query] of QUESTIONS) {
    const ours = query(keys.get(twin)!)
    const [declared, own]: [number[], number[]] = [[], []]
    let totals = [0, 0]
    for (let round = 0; round <= ROUNDS; round++) {
      const [one, other] = [await timed(query(twin), headers), await timed(ours, headers)]
      totals = [one.total, other.total]
      if (!round) continue
      declared.push(one.ms)
      own.push(other.ms)
    }
    if (totals[0] !== totals[1]) throw new Error(`${what}: ${totals.join(' and ')} rows`)
    const ratio = best(own) / best(declared)
    worst = Math.max(worst, ratio)
    const [first, second] = [best(declared), best(own)].map((ms) => ms.toFixed(1))
    log(`| ${what} | ${totals[0]} | ${first} | ${second} | ${ratio.toFixed(2)} |`)
  }
  const after = await costOfWriting(owner, goodInfo, tenantId, rowsOf)
  log(`\nworst ratio ${worst.toFixed(2)}, at most ${MOST} wanted`)
  log(`a row written: ${before.with.toFixed(0)} µs before there were own fields, ${after.with.toFixed(0)} µs with them`)
  if (worst > MOST) process.exitCode = 1
} finally {
  await app.stop()
  await owner.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
