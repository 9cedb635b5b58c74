// npm run bench -- search [--rows 1000000] [--rounds 5]
// Searching names by a part in a million rows of one tenant: a whole call of the product's list, against the two
// statements (page and total) that search every row; and what the index costs when writing.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#apps/database/embedded-postgres.ts'
import { createServerApp } from '#apps/server/src/app.ts'
import { createOwnerPool, createPool, readBatch, sql } from '#kit/server/database/db.ts'
import { migrate } from '#kit/server/database/migrate.ts'
import { escapeLike } from '#kit/server/query/filters.ts'
import { raw } from 'sql-template-tag'
import { benchFolder, BENCH_START } from './folder.ts'
import { median } from './load.ts'
import { benchTenant, signIn } from './tenant.ts'

const option = (name: string, fallback: number) => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? fallback : Number(process.argv[at + 1])
}
const ROWS = option('rows', 1_000_000)
const ROUNDS = option('rounds', 5)
const WRITES = 10_000
const log = (line: string) => console.log(line)

const SURNAMES = '王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕'
const GIVEN = '伟芳娜秀英敏静丽强磊军洋勇艳杰娟涛明超兰霞平刚桂文华玉红建国春雪飞龙晓东海波'
const MAKERS = '农夫康师傅统一百事可口娃哈哈元气森林三得利雀巢伊利蒙牛光明旺旺达能怡宝冰露景田'
const GOODS = '矿泉水绿茶红茶可乐橙汁酸奶牛奶咖啡豆浆啤酒饼干薯片面包糖果果冻辣条鱿鱼丝牛肉干'
/** SQL of a pseudo-random character of a list, the same in every run. */
const sign = (list: string, seed: number) =>
  `substr('${list}', 1 + abs(hashint8(n * 31 + ${seed})) % ${list.length}, 1)`
const name = (...parts: [string, number][]) => parts.map(([list, seed]) => sign(list, seed)).join(' || ')

const RESOURCES = [
  {
    label: 'customers',
    table: 'wx_user',
    column: 'nickname',
    key: 'nickname',
    path: '/api/shop/wxUser/list',
    columns: 'openid, phone',
    values: "md5(n::text), '1' || (3000000000 + n)",
    name: `${name([SURNAMES, 1], [GIVEN, 2], [GIVEN, 3])} || case when n % 3 = 0 then 'Tom' || n % 5000 else '' end`,
    rare: '苏打水爱好者',
    asked: ['苏打水', '打水', '王伟', '王', 'Tom', 'tom4999', '4999'],
  },
  {
    label: 'goods',
    table: 'good_info',
    column: 'name',
    key: 'name',
    path: '/api/shop/goodInfo/list',
    columns: 'shop_id, upc, sale_price',
    values: "n % 50, '69' || n, 500",
    name: `${name([MAKERS, 1], [MAKERS, 2], [GOODS, 3], [GOODS, 4], [GOODS, 5])} || n % 900 || 'ml'`,
    rare: '柠檬苏打水330ml',
    asked: ['苏打水', '打水', '可乐', '水', '550ml', '柠檬330', '899'],
  },
  {
    label: 'order lines',
    table: 'shopping_order_detail',
    column: 'name',
    key: 'name',
    path: '/api/shop/shoppingOrderDetail/list',
    columns: 'order_id, shop_id, good_id, upc, quantity, price, amount',
    values: "n / 3, n % 50, n % 20000, '69' || n % 20000, 1, 500, 500",
    name: `${name([MAKERS, 1], [MAKERS, 2], [GOODS, 3], [GOODS, 4], [GOODS, 5])} || n % 900 || 'ml'`,
    rare: '柠檬苏打水330ml',
    asked: ['苏打水', '打水', '可乐', '水', '550ml'],
  },
] as const

const folder = benchFolder()
const database = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), log: log })
const owner = createOwnerPool(database.url)
const pool = createPool(database.url, { max: 2 })

const timed = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
  const began = performance.now()
  const result = await work()
  return [performance.now() - began, result]
}
const ms = (times: number[]) => `${median(times).toFixed(0)} (${Math.max(...times).toFixed(0)})`

try {
  await migrate(database.url, new URL('../migrations/', import.meta.url))
  const app = await createServerApp({
    ...BENCH_START,
    dataDir: folder,
    databaseUrl: database.url,
  })
  await app.seed()
  const tenantId = await benchTenant(app, owner)
  const headers = await signIn(app, tenantId)

  for (const resource of RESOURCES) {
    const { label, table, column, key, path, columns, values, rare, asked } = resource
    const index = `${table}_grams_of_${column}`
    const { rows: kept } = await owner.query<{ text: string }>('select pg_get_indexdef($1::regclass) as text', [index])
    await owner.query(`drop index ${index}`)
    const write = (from: number, many: number) =>
      owner.query(`insert into ${table} (id, tenant_id, ${column}, ${columns}, create_time)
        select ${from} + n, '${tenantId}', ${resource.name}, ${values},
          timestamptz '2026-11-01' - make_interval(secs => n)
        from generate_series(1, ${many}) n`)
    await write(50_000_000, ROWS)
    await owner.query(`update ${table} set ${column} = '${rare}'
      where id in (50000777, ${50_000_000 + ROWS / 2}, ${50_000_000 + ROWS - 9})`)
    const [built] = await timed(() => owner.query(kept[0]!.text))
    await owner.query(`vacuum analyze ${table}`)
    const { rows: sizes } = await owner.query<{ index: string; table: string }>(
      `select pg_size_pretty(pg_relation_size('${index}')) as index,
        pg_size_pretty(pg_table_size('${table}')) as table`,
    )
    log(
      `\n${ROWS.toLocaleString()} ${label} (${sizes[0]!.table}); index ${sizes[0]!.index} in ${built.toFixed(0)} ms\n`,
    )
    log('| part | found | every row, ms | the list, ms |\n| --- | ---: | ---: | ---: |')
    for (const part of asked) {
      const from = sql`from ${raw(table)} r where r.tenant_id = ${tenantId}
        and r.${raw(column)} ilike ${`%${escapeLike(part)}%`}`
      const [before, after]: number[][] = [[], []]
      let total = 0
      for (let round = 0; round < ROUNDS; round++) {
        const reading = () =>
          readBatch(pool, { tenantId }, [
            sql`select r.* ${from} order by r.create_time desc, r.id desc limit 10`,
            sql`select count(*)::int as n from (select 1 ${from} limit 10001) c`,
          ])
        before!.push((await timed(reading))[0])
        // A total is cached for three seconds, so each round uses a slightly different query.
        const query = new URLSearchParams({ [key]: part, createTime_dategt: `2000-01-01 00:00:0${round}` })
        const [took, answer] = await timed(() => app.http.inject({ url: `${path}?${query}`, headers }))
        if (answer.statusCode !== 200) throw new Error(answer.body)
        after!.push(took)
        total = answer.json().data.total
      }
      log(`| ${part} | ${total} | ${ms(before!)} | ${ms(after!)} |`)
    }
    const costs: Record<string, number[]> = { with: [], without: [] }
    for (let round = 0; round < ROUNDS; round++)
      for (const how of ['with', 'without']) {
        const client = await owner.connect()
        await client.query(`begin${how === 'without' ? `; drop index ${index}` : ''}`)
        const insert = `do $$ begin for n in 1..${WRITES} loop
          insert into ${table} (id, tenant_id, ${column}, ${columns})
          select 90000000 + n, '${tenantId}', ${resource.name}, ${values.replaceAll(/\bn\b/g, '(90000000 + n)')};
          end loop; end $$`
        const [took] = await timed(() => client.query(insert))
        await client.query('rollback')
        client.release()
        costs[how]!.push((took / WRITES) * 1000)
      }
    log(`\nan insert: ${ms(costs.without!)} µs without the index, ${ms(costs.with!)} µs with it`)
  }
  await app.stop()
} finally {
  await pool.end()
  await owner.end()
  await database.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
