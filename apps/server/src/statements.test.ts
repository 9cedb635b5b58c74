import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { describeStatement, type StatementDescription } from '#tests/support/describe-statement.ts'
import { openTenantJoins } from '#tests/support/tenant-joins.ts'
import { NULLABLE_COLUMN, readCatalogue, rowMismatches } from '#tests/support/row-mismatches.ts'
import { createTypeReader } from '#tests/support/row-types.ts'
import { createReader, type Reader, type Statement } from '#tests/support/statements.ts'
import { isReferenceField, fieldKindOf } from '#kit/fields/kinds.ts'
import { isRowIdColumn } from '#kit/resource/row-names.ts'
import { join as joined, sql, type Sql } from '#kit/server/database/db.ts'
import { tablesOfModules } from '#kit/server/mount/module-tables.ts'
import { storedFields } from '#kit/server/database/row-sql.ts'
import { createModuleRegistry } from '#kit/server/mount/mount.ts'
import { paymentsWhereSql, refundsWhereSql, transactionUsesSql } from '#domains/money/payment-channels/api.ts'
import { productModules } from './modules.ts'

const root = join(import.meta.dirname, '../../..')
/**
 * Reads whose type or statement only the compiler or the running program can follow, and columns that take null where
 * the type says none, as the program always sets them: counts per file that may only fall.
 * `READS_RECOUNT=1 npm test -- statements` writes them down.
 */
const CEILINGS = join(import.meta.dirname, 'read-ceilings.json')
const files = globSync(['kit/server/**/*.ts', 'domains/**/*.ts', 'apps/server/src/**/*.ts'], {
  cwd: root,
  exclude: (path) => /node_modules|\.test(-d)?\.|\.child\./.test(path),
}).sort()

const NO_SNAKE = 'shop_name: no such column, the type says string'
/** Reads with what is wrong with each; the first three are right. */
const MISTAKES: readonly (readonly [read: string, ...faults: string[]])[] = [
  ['one<Shop>(sql`select id, shop_name, status from basic_shop_info`)'],
  ['one<{ n: number; last: string | null }>(sql`select count(*) as n, max(create_time) as last from basic_shop_info`)'],
  ['query<{ at?: string; id: string }>(sql`select id from basic_shop_info`)'],
  ['one<{ nope: number }>(sql`select id from basic_shop_info`)', 'nope: no such column, the type says number'],
  ['query<{ id: number }>(sql`select id from basic_shop_info`)', 'id: is string, the type says number'],
  ['one<{ shop_name: string }>(sql`select shop_name from basic_shop_info`)', NO_SNAKE],
  ['one<{ n: string }>(sql`select count(*) as n from basic_shop_info`)', 'n: is number, the type says string'],
  [
    'one<{ createTime: number }>(sql`select create_time from basic_shop_info`)',
    'createTime: is string, the type says number',
  ],
  [
    'one<{ isOn: number }>(sql`select status = 1 as is_on from basic_shop_info`)',
    'isOn: is boolean, the type says number',
  ],
  [
    'one<{ ids: number[] }>(sql`select array_agg(id) as ids from basic_shop_info group by status`)',
    'ids: is string[], the type says number[]',
  ],
  [
    'one<{ name: boolean }>(sql`select shop_name as name from basic_shop_info`)',
    'name: is string, the type says boolean',
  ],
  [
    'one<{ sum: number }>(sql`select sum(amount) as sum from refunds`)',
    'sum: may be null without rows, the type says number',
  ],
  [
    'one<{ last: string }>(sql`select max(create_time) as last from refunds`)',
    'last: may be null without rows, the type says string',
  ],
  [
    'one<{ id: string }>(sql`select s.id from refunds r left join basic_shop_info s on s.id = r.shop_id`)',
    'id: may be null by an outer join, the type says string',
  ],
  [
    'one<{ remark: string }>(sql`select remark from basic_shop_info`)',
    'remark: may be null as its column, the type says string',
  ],
  [
    'one<Shop & { remark: string }>(sql`select id, shop_name, status from basic_shop_info`)',
    'remark: no such column, the type says string',
  ],
  [
    'one<Pick<Shop, "id" | "shopName">>(sql`select id from basic_shop_info`)',
    'shopName: no such column, the type says string',
  ],
  [
    'one<Omit<Shop, "status">>(sql`select id, status from basic_shop_info`)',
    'shopName: no such column, the type says string',
  ],
  ['one<Record<"a" | "b", number>>(sql`select 1 as a`)', 'b: no such column, the type says number'],
  ['one<{ state: State }>(sql`select version as state from refunds`)', 'state: is number, the type says string'],
  [
    'one<{ id: string }>(sql`update refunds set version = 1 returning version`)',
    'id: no such column, the type says string',
  ],
]
const MISTAKEN_TYPES = `type State = 'open' | 'done'
type Shop = { id: string; shopName: string; status: number | null }`

const load = (file: string) =>
  /^(kit\/(?!web)|domains).*(?<!\/web|\.(?:child|worker))\.ts$/.test(file)
    ? (import(/* @vite-ignore */ join(root, file)) as Promise<Record<string, unknown>>).catch(() => undefined)
    : undefined

const registry = createModuleRegistry(productModules)
const resource = registry.resource('goodInfo')
const served = registry.served.get('goodInfo')
const stands = {
  types: {
    'Resource<any, any>': [resource],
    Resource: [resource],
    Any: [resource],
    Served: [served],
    "Served['resource']": [resource],
    ModuleRegistry: [registry],
  },
  members: { registry: [registry], moment: [sql`now()`] },
  // Conditions built from a query: the contract test uses every filter of every resource.
  answers: {
    queryFilterSql: [sql``],
    filterSql: [sql``],
    dataScopeSql: [sql``],
    writeScopeSql: [sql``],
    queryOrderBySql: [sql`r.id`],
    orderSql: [sql`r.id`],
    // The caller gives their conditions; the test below prepares every column of every payable.
    paymentsWhereSql: [paymentsWhereSql(sql`${''}`, () => sql`true`)],
    refundsWhereSql: [refundsWhereSql(sql`${''}`, () => sql`true`)],
    transactionUsesSql: [transactionUsesSql(sql`${''}`, sql`${''}`)],
  },
}

let database: TestDatabase
let client: pg.Client
let reader: Reader
let looks: { statement: Statement; look: StatementDescription | undefined }[]

beforeAll(async () => {
  database = await testDatabase()
  client = new pg.Client(database.url)
  await client.connect()
  reader = await createReader(root, files, load, stands)
  const seen = new Map<string, Promise<StatementDescription>>()
  const lookOnce = (text: string) => {
    const look = seen.get(text) ?? describeStatement(client, text)
    seen.set(text, look)
    return look
  }
  looks = []
  // One after the other: the driver deprecates queued queries.
  for (const statement of reader.statements())
    looks.push({ statement, look: statement.hole ? undefined : await lookOnce(statement.text) })
  console.log(`${seen.size} statements of ${reader.templates().length} templates prepared`)
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/**
 * Templates per file that only the running program can assemble; the tests named next to them run them. A number that
 * grows is a statement that nothing checks before it runs.
 */
const APART: Record<string, number> = {
  // files.test.ts runs it for the resources of all modules.
  'domains/platform/files/named-files.ts': 2,
  // Uses the resource's function and field (find-customer.test.ts).
  'kit/server/query/by-grams.ts': 1,
  // Pages after a bookmark, in any sort order of a list (list-pages.test.ts, big-lists.test.ts).
  'kit/server/query/keyset.ts': 3,
  // Uses the tables that a transaction has written (analyze.test.ts).
  'kit/server/database/analyze.ts': 1,
  // The first process creates the table before the migrations (seed-once.test.ts).
  'apps/server/src/seed-once.ts': 3,
  'apps/server/src/demo/demo.ts': 2,
  // Fragments chosen together: alone each would be another statement (tests of the modules).
  'domains/platform/access/grants.ts': 1,
  'domains/platform/access/menu.server.ts': 1,
  'domains/platform/access/shut-out.ts': 2,
  'domains/insight/ai/targets.ts': 12,
  // For all devices or for named ones (devices-servers.test.ts).
  'domains/devices/device-messaging/handle-device-message.ts': 1,
  // Its functions are mutually recursive, which the reader does not follow (workflow.test.ts).
  'domains/platform/workflow/process-runtime.ts': 1,
  // Its lists share conditions on two tables (workflow.test.ts).
  'domains/platform/workflow/tasks.ts': 2,
  // The caller's access is part of the query (announcements.test.ts, pictures-and-sound.test.ts).
  'domains/devices/audio-announcements/announcements.server.ts': 1,
  'domains/devices/audio-announcements/camera-voice.ts': 1,
  // The server creates the table `installation`, not a migration (secrets.test.ts).
  'domains/platform/files/rotate-secrets.ts': 2,
  // Payables declare their columns, and conditions are built on them: the next test prepares all of them.
  'domains/money/payment-channels/payables.ts': 7,
  'domains/money/payment-channels/refund-payables.ts': 21,
  'domains/sales/orders/order-payable.ts': 33,
  'domains/sales/customers/member-payables.ts': 23,
  'domains/money/checkout/attempt-payable.ts': 25,
  'domains/money/reconciliation/back-payable.ts': 28,
  'domains/money/merchant-accounts/check-bill.ts': 2,
  'domains/money/merchant-accounts/make-bill.ts': 8,
  'domains/money/merchant-accounts/wechat-refund.ts': 1,
  'domains/money/reconciliation/match-wechat.ts': 10,
  'domains/sales/customers/merge.ts': 2,
  'domains/sales/orders/ledgers.ts': 1,
  // For the resource that is printed (prints.test.ts), and the result of one of its views (home.test.ts).
  'domains/platform/documents/sheets.ts': 2,
  'kit/server/lists/placed-views.ts': 1,
  // For the resource with the field (own-fields.test.ts).
  'domains/platform/custom-fields/own-field.job.ts': 1,
  'domains/insight/statistics/fold.job.ts': 4,
  'domains/insight/statistics/needs.ts': 1,
  'domains/insight/statistics/statistics.server.ts': 2,
  'domains/platform/system/dict.server.ts': 4,
  // For tables named by the catalogue (tenant-leaves.test.ts).
  'domains/platform/system/tenant-archive.ts': 4,
  'domains/devices/shelf-labels/price-tag.server.ts': 3,
  // For the resource and platform of a declaration (sync.test.ts, orders.test.ts of their modules).
  'domains/sales/meituan/test-meituan.ts': 2,
  // Each platform's own fragments in the statements for price comparison and safety stock.
  'domains/sales/ele/parity.ts': 5,
  'domains/sales/meituan/parity.ts': 9,
  'domains/sales/delivery-platforms/parity.server.ts': 14,
  'domains/sales/delivery-platforms/platform-refund.ts': 1,
  'domains/sales/delivery-platforms/safety.ts': 3,
  'domains/sales/delivery-platforms/stock-figure.server.ts': 3,
  'domains/money/reconciliation/compare.job.ts': 1,
  'domains/money/reconciliation/resolutions.ts': 2,
  'domains/money/reconciliation/test-account.ts': 1,
  'domains/money/reconciliation/match-platform.ts': 2,
  'domains/money/reconciliation/money-trail.server.ts': 1,
  'domains/sales/delivery-platforms/compare.job.ts': 1,
  'domains/sales/delivery-platforms/own-delivery.ts': 1,
  'domains/sales/delivery-platforms/platform-links.ts': 1,
  'domains/sales/delivery-platforms/polls.ts': 3,
  'domains/sales/delivery-platforms/sync.ts': 7,
  // For the camera that is meant, and the order of several (pictures-and-sound.test.ts).
  'domains/devices/video/speak.job.ts': 4,
  // Built from a report's query (report.test.ts).
  'kit/server/reports/answer.ts': 2,
  'kit/server/reports/compile.ts': 20,
  // For indexes as the catalogue defines them, and a setting (without-indexes.test.ts).
  'kit/server/database/without-indexes.ts': 4,
  // Built from declarations: the contract test runs them for every resource (contract.test.ts).
  'kit/server/database/bulk-insert.ts': 3,
  'kit/server/database/data-scope.ts': 11,
  'kit/server/database/db.ts': 5,
  'kit/server/database/rows.ts': 12,
  'kit/server/database/scope-grammar.ts': 13,
  'kit/server/history/history.ts': 2,
  'kit/server/history/recycle-bin.ts': 7,
  'kit/server/lists/bulk.ts': 2,
  'kit/server/query/filters.ts': 39,
  // masks.test.ts searches every masked field by its end.
  'kit/server/query/masked-filters.ts': 2,
  // Selects by any sort order of a resource (big-lists.test.ts).
  'kit/server/query/page-keys.ts': 14,
  'kit/server/query/totals.ts': 1,
  'kit/server/lists/views.ts': 1,
  'kit/server/mount/kit-routes.ts': 16,
  // references.test.ts runs them for every reference.
  'kit/server/resource/list-of.ts': 2,
  'kit/server/resource/referenced-by.ts': 13,
  'kit/server/resource/orphans.ts': 7,
  // For the resource and move that are meant (transition.test.ts), and the row of an outbound call (outbox.test.ts).
  'kit/server/resource/transition.ts': 6,
  'kit/server/outbox/call-rows.ts': 1,
  'kit/server/outbox/row-job.ts': 1,
  'domains/messaging/sms/sms-send.ts': 1,
  'domains/money/reconciliation/return.job.ts': 1,
  // For the amounts a list shows by day (day-totals.test.ts).
  'kit/server/lists/day-totals.ts': 4,
  'kit/server/resource/submit-of.ts': 5,
  'kit/server/sheets/diff.ts': 4,
  'kit/server/sheets/export.ts': 2,
  'kit/server/sheets/resolve.ts': 5,
}

const fileOf = (at: string) => at.slice(0, at.lastIndexOf(':'))

test('every statement of the server is one the database understands: its tables, columns and types are there', () => {
  const held = new Set(
    looks.flatMap(({ statement, look }) => (look && !look.problem ? [statement.at, ...statement.from] : [])),
  )
  const why = new Map(
    looks.map(({ statement, look }) => [
      statement.at,
      look?.problem
        ? `${look.problem} in: ${statement.text.replace(/\s+/g, ' ').trim()}`
        : `put together by ${statement.hole}`,
    ]),
  )
  const left = [...new Set([...looks.map(({ statement }) => statement.at), ...reader.templates()])].filter(
    (at) => !held.has(at),
  )
  const wrong = [...Map.groupBy(left, fileOf)].flatMap(([file, found]) => {
    if (found.length <= (APART[file] ?? 0)) return []
    return [
      `${file}: ${found.length} not prepared, ${APART[file] ?? 0} known`,
      ...found.map((at) => `  ${at} ${why.get(at) ?? 'stands in no statement'}`),
    ]
  })
  expect(wrong).toEqual([])
  expect(held.size).toBeGreaterThan(900)
})

type ReadFaults = { wrong: string[]; nullable: string[]; apart: string[] }

/** Compares the typed reads of these sources with the database. `apart`: what cannot be followed, with the reason. */
async function readFaultsOf(source: Reader, known: ReadonlyMap<string, StatementDescription>): Promise<ReadFaults> {
  const catalogue = await readCatalogue(client)
  const { shapeOf } = createTypeReader(source.types)
  const described = new Map(known)
  const describeOnce = async (text: string) => {
    const description = described.get(text) ?? (await describeStatement(client, text))
    described.set(text, description)
    return description
  }
  const found = { wrong: new Set<string>(), nullable: new Set<string>(), apart: new Set<string>() }
  for (const { at, file, type, statements } of source.reads()) {
    const shape = type && shapeOf(file, type)
    const texts = statements.filter(({ hole }) => !hole).map(({ text }) => text)
    if (type && !shape) found.apart.add(`${at} type`)
    else if (type && !texts.length) found.apart.add(`${at} statement`)
    if (!shape) continue
    for (const text of texts) {
      const description = await describeOnce(text)
      if (!isFullyDescribed(text, description)) found.apart.add(`${at} ${description.problem ?? 'columns'}`)
      else
        for (const line of rowMismatches(text, description, shape, catalogue))
          found[line.includes(NULLABLE_COLUMN) ? 'nullable' : 'wrong'].add(`${at} ${line}`)
    }
  }
  return { wrong: [...found.wrong], nullable: [...found.nullable], apart: [...found.apart] }
}

/** A parameter where columns should be stands for a fragment the reader could not follow; FETCH has no columns. */
const isFullyDescribed = (text: string, { columns, problem }: StatementDescription): boolean =>
  !problem && !columns.some(({ name }) => name === '?column?') && !/^\s*fetch\b/i.test(text)

const countsOf = (lines: readonly string[]): Record<string, number> =>
  Object.fromEntries(
    [...Map.groupBy(lines, (line) => fileOf(line.slice(0, line.indexOf(' '))))]
      .map(([file, found]) => [file, found.length] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )

const aboveCeiling = (lines: readonly string[], ceiling: Record<string, number>): string[] => {
  const counts = countsOf(lines)
  return lines.filter((line) => {
    const file = fileOf(line.slice(0, line.indexOf(' ')))
    return counts[file]! > (ceiling[file] ?? 0)
  })
}

test('the type a read gives its rows is what PostgreSQL says of its columns', async () => {
  const known = new Map(looks.flatMap(({ statement, look }) => (look ? [[statement.text, look] as const] : [])))
  const { wrong, nullable, apart } = await readFaultsOf(reader, known)
  console.log(`${reader.reads().filter(({ type }) => type).length} typed reads, ${apart.length} cannot be followed`)
  expect(wrong).toEqual([])
  if (process.env.READS_RECOUNT)
    writeFileSync(CEILINGS, `${JSON.stringify({ apart: countsOf(apart), nullable: countsOf(nullable) }, null, 2)}\n`)
  const ceilings = JSON.parse(readFileSync(CEILINGS, 'utf8')) as Record<'apart' | 'nullable', Record<string, number>>
  expect([...aboveCeiling(apart, ceilings.apart), ...aboveCeiling(nullable, ceilings.nullable)]).toEqual([])
})

test('each mistake in a typed read is named with its line, and a right one is not', async () => {
  const lines = MISTAKES.map(([read]) => `export const r${MISTAKES.findIndex(([one]) => one === read)} = db.${read}`)
  const folder = await mkdtemp(join(tmpdir(), 'reads-'))
  await writeFile(join(folder, 'reads.ts'), [MISTAKEN_TYPES, ...lines].join('\n'))
  const { wrong, nullable, apart } = await readFaultsOf(
    await createReader(folder, ['reads.ts'], () => undefined, stands),
    new Map(),
  )
  await rm(folder, { recursive: true })
  expect(apart).toEqual([])
  const named = MISTAKES.map((_one, at) =>
    [...wrong, ...nullable]
      .filter((line) => line.startsWith(`reads.ts:${at + MISTAKEN_TYPES.split('\n').length + 1} `))
      .map((line) => line.slice(line.indexOf(' ') + 1)),
  )
  expect(named).toEqual(MISTAKES.map(([, ...faults]) => faults))
})

/** Templates that may join rows without restricting the tenant, with the reason. */
const TENANTS_APART: Record<string, string> = {
  'domains/devices/device-messaging/device-key.ts': 'which line of all tenants holds the number a device signs in with',
  'domains/platform/system/dict.server.ts':
    'one statement for entries of a tenant, which names it, and of the platform, which has none',
}

test('every column of what is paid for can be asked by, in every module that takes money', async () => {
  const held = (columns: Record<string, Sql>) =>
    joined(
      Object.values(columns).map((one) => sql`${one} is not null`),
      ' or ',
    )
  const statements = [
    paymentsWhereSql(sql`${''}`, (columns) => sql`(${held(columns)})`),
    refundsWhereSql(sql`${''}`, (columns) => sql`(${held(columns)})`),
    transactionUsesSql(sql`${''}`, sql`${''}`),
  ]
  const looked = await Promise.all(statements.map(({ text }) => describeStatement(client, text)))
  expect(looked.map(({ problem }) => problem)).toEqual([undefined, undefined, undefined])
})

test('no statement brings rows of tenants together but by their tenant', async () => {
  const apart = await openTenantJoins(
    new Set(
      tablesOfModules(productModules)
        .filter(({ tenancy }) => tenancy === 'tenant')
        .map(({ name }) => name),
    ),
  )
  const wrong = looks.flatMap(({ statement, look }) => {
    if (!look || look.problem || TENANTS_APART[fileOf(statement.at)]) return []
    const groups = apart(statement.text)
    return groups.length ? [`${statement.at} ${groups.join(' | ')}: ${statement.text.replace(/\s+/g, ' ')}`] : []
  })
  expect([...new Set(wrong)]).toEqual([])

  expect(apart('select from refunds r join shopping_order o on o.id = r.order_id')).toEqual([
    'refunds',
    'shopping_order',
  ])
  expect(apart('delete from refunds where order_id in (select id from shopping_order)')).toHaveLength(2)
  expect(
    apart(`with o as (select tenant_id, id from shopping_order) update refunds r set status = 1 from o
      where (r.tenant_id, r.order_id) = (o.tenant_id, o.id)`),
  ).toEqual([])
  expect(
    apart(
      'select from refunds where tenant_id = $1 and order_id in (select id from shopping_order where tenant_id = $1)',
    ),
  ).toEqual([])
})

/**
 * Indexes that are unique in the whole installation, with the reason; a database distributed by tenant would need a
 * separate table for each.
 */
const UNIQUE_EVERYWHERE: Record<string, string> = {
  camera_uq_everywhere_platform_gb_device_id_gb_channel_id: 'a channel of a platform shared by tenants is one tenant’s',
  device_holder_uq_client_id: 'a device says its number before a tenant is known: one line holds it',
  stored_file_uq_key: 'every picture is served before anybody knows whose it is',
}

test('what is unique is unique within its tenant, the tenant first, or stands in a list with its reason', async () => {
  const { rows } = await client.query<{ name: string }>(`
    select i.indexrelid::regclass::text as name from pg_index i
    join pg_attribute t on t.attrelid = i.indrelid and t.attname = 'tenant_id'
    join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace
    where i.indisunique and i.indkey[0] <> t.attnum and c.relname not in ('job', 'tenant') order by 1`)
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(UNIQUE_EVERYWHERE).sort())
})

test('a column, a table and a parameter that are not there are found without running anything', async () => {
  const problemOf = async (text: string) => (await describeStatement(client, text)).problem
  expect(await problemOf('select shop_nam from basic_shop_info')).toMatch(/^42703 column "shop_nam" does not exist/)
  expect(await problemOf('delete from basic_shop_inf')).toMatch(/^42P01 relation "basic_shop_inf" does not exist/)
  expect(await problemOf('select 1 from basic_shop_info where id = $1 and status = $1::text')).toMatch(/^42/)
  expect(await problemOf('select shop_name from basic_shop_info where id = $1')).toBeUndefined()
})

test('a number of a row is told from an amount by the name of its column', async () => {
  const wrong = [...registry.served.values()].flatMap(({ resource }) =>
    storedFields(resource).flatMap(([key, field]) =>
      fieldKindOf(field).column(field) === 'bigint' && isRowIdColumn(key) !== isReferenceField(field)
        ? [`${resource.name}.${key}`]
        : [],
    ),
  )
  expect(wrong).toEqual([])

  const { rows } = await client.query<{ key: string; name: string }>(
    "select attrelid || '/' || attnum as key, attname as name from pg_attribute where attnum > 0",
  )
  const columns = new Map(rows.map(({ key, name }) => [key, name]))
  const renamed = looks.flatMap(({ statement, look }) =>
    (look?.columns ?? []).flatMap(({ name, tableID, columnID, dataTypeID }) => {
      const column = dataTypeID === pg.types.builtins.INT8 ? columns.get(`${tableID}/${columnID}`) : undefined
      return column && isRowIdColumn(column) !== isRowIdColumn(name) ? [`${statement.at} ${column} as ${name}`] : []
    }),
  )
  expect(renamed).toEqual([])
})
