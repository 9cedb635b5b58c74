// npm run trade-year -- --orders 1000000 --shops 50 [--data ./year] [--no-stock]: a year of trade in a data folder of
// its own, set-based.
// Look at it: DATA_DIR=./year npm start -- --story empty, sign in as 300001 / admin / admin.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createServerApp } from '#apps/server/src/app.ts'
import { checkLedgers } from '#domains/sales/orders/api.ts'
import { findRollupDifferences, rebuildRollups } from '#domains/insight/statistics/api.ts'
import { createTenant } from '#domains/platform/system/api.ts'
import { createOwnerPool } from '#kit/server/database/db.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { yearSteps, YEAR_TENANT } from './trade-year-steps.ts'

const option = (name: string, fallback: string) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : (process.argv[at + 1] ?? fallback)
}
const orders = Number(option('orders', '1000000'))
const shops = Number(option('shops', '50'))
const dataDir = resolve(option('data', './year'))
const withStock = !process.argv.includes('--no-stock')
if (!(orders >= 100 && orders <= 50_000_000 && shops >= 1 && shops <= 1000)) {
  console.error('npm run trade-year -- [--orders 1000000] [--shops 50] [--data ./year] [--no-stock]')
  process.exit(2)
}
if (existsSync(join(dataDir, 'postgres'))) {
  console.error(`${dataDir} holds a database already. Name another folder with --data, or remove it.`)
  process.exit(2)
}

const started = Date.now()
const seconds = () => ((Date.now() - started) / 1000).toFixed(0).padStart(5)
const log = (line: string) => console.log(`${seconds()} s  ${line}`)
const database = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log: log })
const owner = createOwnerPool(database.url)
await migrate(database.url, new URL('../migrations/', import.meta.url))
const app = await createServerApp({
  port: 0,
  host: 'inject',
  story: 'empty',
  dataDir,
  databaseUrl: database.url,
  publicUrl: 'http://localhost',
  isTest: true,
  corsOrigins: [],
  trustProxy: false,
  generalPerMinute: 0,
})
let isRight = false
try {
  await app.seed()
  await app.services.unit({ crossTenantReason: 'a year of trade has a tenant of its own' }, (db) =>
    createTenant(
      db,
      app.services,
      { tenantName: '四季便利', accountNumber: -1 },
      { tenantId: YEAR_TENANT, password: 'admin' },
    ),
  )
  await owner.query(
    'create table if not exists installation (key text primary key, value text not null); insert into ' +
      "installation values ('story', 'empty'), ('told', now()::text), ('id', gen_random_uuid()::text) on conflict " +
      'do nothing',
  )
  const client = await owner.connect()
  await client.query("set work_mem = '256MB'; set maintenance_work_mem = '512MB'; set synchronous_commit = off")
  for (const [name, text] of yearSteps({ orders, shops, withStock })) {
    await client.query(text)
    log(name)
  }
  client.release()
  await rebuildRollups(app.services, YEAR_TENANT)
  log('sums counted')
  await owner.query('vacuum analyze')
  log('vacuumed')
  if (withStock) {
    const wrong = await app.services.unit({ tenantId: YEAR_TENANT }, checkLedgers)
    log(wrong.length ? `ledgers that do not add up: ${JSON.stringify(wrong.slice(0, 5))}` : 'every ledger adds up')
    isRight = !wrong.length
  } else {
    log('without stock, batches and payments: the ledgers were not checked')
    isRight = true
  }
  const off = await app.services.unit({ tenantId: YEAR_TENANT }, (db) => findRollupDifferences(db))
  log(
    off.length
      ? `sums differ from a recount: ${JSON.stringify(off.slice(0, 3))}`
      : 'the sums equal a recount of all rows',
  )
  isRight &&= !off.length
} catch (error) {
  console.error(error)
} finally {
  await app.stop()
  await owner.end()
  await database.stop()
}
process.exit(isRight ? 0 : 1)
