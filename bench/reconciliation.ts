// npm run bench -- reconciliation [--lines 1000000] [--each 1000]: a statement of that many lines is read and compared
// with as many payments, one in `each` of them wrong; then it is read again, which has no effect. Prints the time, and
// the memory of this process and of the database's largest one.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createServerApp } from '../apps/server/src/app.ts'
import { compareDay, lockAccountDay, type FetchedStatement } from '#domains/money/reconciliation/api.ts'
import { createOwnerPool, type Db } from '#kit/server/database/db.ts'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { benchFolder, BENCH_START } from './folder.ts'

const option = (name: string, fallback: number) =>
  process.argv.includes(`--${name}`) ? Number(process.argv[process.argv.indexOf(`--${name}`) + 1]) : fallback
const [lines, each] = [option('lines', 1_000_000), option('each', 1000)]
const [T, MERCHANT, SHOP, DAY] = ["'000000'", 77, 7, '2026-11-20']
const STEP_MS = Math.max(1, Math.floor(80_000_000 / lines))
const [PRICE, FEE] = [1000, 6]

const folder = benchFolder()
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: console.log })
await migrate(database.url, new URL('../migrations/', import.meta.url))
const app = await createServerApp({ ...BENCH_START, dataDir: folder, databaseUrl: database.url })
const owner = createOwnerPool(database.url)
owner.on('error', () => {})
await app.seed()

/** First id of the day: ids contain a time, as in the product. */
const first = (BigInt(Date.parse(`${DAY}T00:00:00+08:00`) - Date.UTC(2024, 0, 1)) << 22n).toString()
const id = `${first}::bigint + (n::bigint << 10)`
const at = `timestamptz '${DAY} 00:00:00+08' + make_interval(secs => n * ${STEP_MS} / 1000.0)`
const no = `'4200' || lpad(n::text, 12, '0')`
for (const step of [
  `insert into merchant_info (id, tenant_id, name, merchant_no, type, status, fee_rate, sub_mchid, shop_ids)
    values (${MERCHANT}, ${T}, 'bench', 'B1', 'enterprise', 1, 0.6, '190', '{${SHOP}}')`,
  `insert into basic_shop_info (id, tenant_id, shop_name, shop_code, status, merchant_id)
    values (${SHOP}, ${T}, 'bench', 'B1', 1, ${MERCHANT})`,
  `insert into merchant_term (id, tenant_id, shop_id, merchant_id, fee_rate, start_time)
    values (${SHOP}, ${T}, ${SHOP}, ${MERCHANT}, 0.6, '2000-01-01')`,
  `insert into shopping_order (id, tenant_id, order_no, shop_id, status, source, type, goods_amount, discount_amount,
      ticket_amount, vip_amount, integral_amount, freight, pay_amount, refund_amount, pay_type, pay_time,
      transaction_no, create_time)
    select ${id}, ${T}, 'SO' || lpad(n::text, 12, '0'), ${SHOP}, 2, 'register', 'store', ${PRICE}, 0, 0, 0, 0, 0,
      ${PRICE}, 0, 'wechat', ${at}, ${no}, ${at} from generate_series(1, ${lines}) n`,
  `insert into order_payment (id, tenant_id, order_id, shop_id, channel, amount, transaction_no, pay_time, create_time)
    select ${id}, ${T}, ${id}, ${SHOP}, 'wechat', ${PRICE}, ${no}, ${at}, ${at} from generate_series(1, ${lines}) n`,
  'analyze',
])
  await owner.query(step)

const yuan = (cents: number) => (cents / 100).toFixed(2)
const time = (n: number) =>
  new Date(Date.parse(`${DAY}T00:00:00Z`) + n * STEP_MS).toISOString().slice(0, 19).replace('T', ' ')
const digits = (n: number) => String(n).padStart(12, '0')

const TRADE_HEAD = '交易时间,微信订单号,商户订单号,交易状态,应结订单金额,微信退款单号,商户退款单号,退款金额,手续费'
const FLOW_HEAD = '记账时间,微信支付业务单号,资金流水单号,业务类型,收支类型,收支金额(元),账户结余(元),业务凭证号'

/** What is wrong with line `n`: 0 nothing, else in turns missing, another amount, another fee. */
const troubleOf = (n: number) => (n % each ? 0 : (n / each) % 3 === 0 ? 1 : (n / each) % 3 === 1 ? 2 : 3)

async function* trades(): AsyncGenerator<string> {
  yield `\uFEFF${TRADE_HEAD}\r\n`
  let [part, count] = ['', 0]
  for (let n = 1; n <= lines; n++) {
    const trouble = troubleOf(n)
    if (trouble === 1) continue
    const [amount, fee] = [trouble === 2 ? PRICE + 50 : PRICE, trouble === 3 ? FEE + 2 : FEE]
    const [number, paid] = [digits(n), `${yuan(amount)},\`0,\`0,\`0.00,\`${yuan(fee)}`]
    part += `\`${time(n)},\`4200${number},\`SO${number},\`SUCCESS,\`${paid}\r\n`
    count++
    if (part.length < 65_536) continue
    yield part
    part = ''
  }
  yield `${part}总交易单数,应结订单总金额\r\n\`${count},\`0.00\r\n`
}

async function* flows(): AsyncGenerator<string> {
  yield `\uFEFF${FLOW_HEAD}\r\n`
  let [part, count] = ['', 0]
  for (let n = 1; n <= lines; n++) {
    const trouble = troubleOf(n)
    if (trouble === 1) continue
    const net = (trouble === 2 ? PRICE + 50 : PRICE) - (trouble === 3 ? FEE + 2 : FEE)
    part += `\`${time(n)},\`4200${digits(n)},\`F${n},\`交易,\`收入,\`${yuan(net)},\`0.00,\`SO${digits(n)}\r\n`
    count++
    if (part.length < 65_536) continue
    yield part
    part = ''
  }
  yield `${part}资金流水总笔数,收入笔数\r\n\`${count},\`${count}\r\n`
}

const fetched: FetchedStatement = { trades: [{ hash: 'bench', text: trades }], flows: [{ hash: 'bench', text: flows }] }
const account = { side: 'wechat', accountNo: '190', accountName: 'bench', merchantId: String(MERCHANT), shopId: null }
const once = () =>
  app.services.unit({ tenantId: '000000' }, async (db: Db) =>
    compareDay(app.services, db, await lockAccountDay(db, account, DAY), fetched),
  )

/** Returns resident memory in MiB: of this process, and of the database's largest process without shared memory. */
function memory(): [number, number] {
  const of = (pid: string, key: string) => {
    try {
      return Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
    } catch {
      return 0
    }
  }
  const databases = readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('postgres')
    } catch {
      return false
    }
  })
  const own = databases.map((pid) => of(pid, 'RssAnon'))
  return [of('self', 'VmRSS') / 1024, Math.max(0, ...own) / 1024].map(Math.round) as [number, number]
}

const most: [number, number] = [0, 0]
console.log(`before it begins: this process ${memory()[0]} MiB`)
const watch = setInterval(() => memory().forEach((mib, at) => (most[at as 0] = Math.max(most[at as 0], mib))), 500)
for (const [n, name] of ['first time', 'once more'].entries()) {
  const began = performance.now()
  const day = await once()
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `${name}: ${lines} lines, ${day.differences} differences, unexplained ${yuan(day.remainder!)}, ${seconds} s`,
    n === 0 ? `(${day.lineCount} lines kept)` : '',
  )
}
clearInterval(watch)
console.log(`most memory: this process ${most[0]} MiB, the largest of the database ${most[1]} MiB`)
await app.stop()
await owner.end()
await database.stop()
rmSync(folder, { recursive: true, force: true })
process.exit(0)
