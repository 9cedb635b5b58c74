import pg from 'pg'
import { raw } from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { toSqlName, type Resource } from '#kit/resource/define-resource.ts'
import { filterOrSortFields, canSort } from '#kit/resource/list-capabilities.ts'
import { anonymousCaller } from '#kit/server/request/pipeline.ts'
import { sql, type Sql } from '#kit/server/database/db.ts'
import { keysetOrder } from '#kit/server/query/keyset.ts'
import { parseSortTerms } from '#kit/server/query/filters.ts'
import { countThenFetchSql, selectPageKeysSql } from '#kit/server/query/page-keys.ts'
import { testDatabase, type TestDatabase } from '#tests/support/database.ts'
import { productModules } from './modules.ts'

// Lists of resources that grow to millions of rows per tenant (docs/decisions/0048).

const big: Resource<any, any>[] = productModules
  .flatMap((module) => (module.resources ?? []).map(({ resource }): Resource<any, any> => resource))
  .filter((resource) => resource.indexedList)
const caller = { ...anonymousCaller, tenantId: '100001', isAdmin: true }
const from = (resource: Resource<any, any>) =>
  sql`from ${raw(`"${resource.table}"`)} r where true and r.tenant_id = ${caller.tenantId}${
    resource.remove === 'soft' ? sql` and r.is_deleted = 0` : sql``
  }`

let database: TestDatabase
let client: pg.Client
const runQuery = async (statement: Sql) => (await client.query({ text: statement.text, values: statement.values })).rows

beforeAll(async () => {
  database = await testDatabase()
  client = new pg.Client({ connectionString: database.url, options: '-c search_path=public' })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

/**
 * Filters of big lists that no index answers: parts of texts rarely searched, and multi-value fields. With few matches
 * all of the tenant's rows are read.
 */
const LOOKED_THROUGH: Record<string, string[]> = {
  logApi: ['serviceId', 'serverHost', 'method', 'requestUri', 'remoteIp', 'createBy', 'title'],
  logError: ['method'],
  logUsual: ['method'],
  requestLog: ['url'],
  shoppingOrder: ['flags'],
}

describe('what the list of a big resource offers', () => {
  test('begins sorted by what is never empty, so that places in it can be compared', () => {
    const wrong = big.filter((resource) => !keysetOrder(resource, parseSortTerms(resource, {}, caller)))
    expect(wrong.map(({ name, list }) => `${name} ${list.sort}`)).toEqual([])
  })

  test('to search by has an index that begins with it, or is known to be looked through', async () => {
    const { rows } = await client.query<{ name: string; keys: string[] }>(
      // A constraint that is unique within a month is a unique index on each partition.
      `select regexp_replace(indrelid::regclass::text, '_past$', '') as name,
        array(select pg_get_indexdef(indexrelid, n, true)
          from generate_series(1, indnkeyatts) n) as keys from pg_index`,
    )
    const begins = (table: string, column: string) =>
      rows.some(
        ({ name, keys: [first, second] }) =>
          name === table &&
          (first === 'tenant_id' ? second?.replaceAll('"', '') === column : first === `${column}_tail`),
      )
    const through: Record<string, string[]> = {}
    for (const resource of big)
      for (const [key, field] of Object.entries<Field>(resource.fields))
        if (field.search && !field.computed && !field.ngramIndex && !begins(resource.table, toSqlName(key)))
          (through[resource.name] ??= []).push(key)
    expect(through).toEqual(LOOKED_THROUGH)
  })

  test('to sort by is read off an index both ways, and never sorted, nor are words found for all rows', async () => {
    await client.query('begin')
    await client.query('set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off')
    const wrong: string[] = []
    let orders = 0
    for (const resource of big)
      for (const { key } of filterOrSortFields(resource)) {
        if (!canSort(resource, key, resource.fields[key])) continue
        for (const direction of ['ascs', 'descs']) {
          const query = { [direction]: key }
          const page = selectPageKeysSql(resource, from(resource), parseSortTerms(resource, query, caller), 10, 0)
          const plan = await runQuery(sql`explain (costs off) ${page}`)
          const lines = plan.map((row) => String(row['QUERY PLAN']))
          const isInTwo = lines.some((line) => /(?<!Merge )Append/.test(line))
          const sorts = lines.filter((line) => /^\s*(->\s+)?Sort\b(?! Key)/.test(line)).length
          orders++
          if (sorts > (isInTwo ? 1 : 0) || lines.some((line) => /SubPlan|Seq Scan/.test(line)))
            wrong.push(`${resource.name} ${JSON.stringify(query)}\n${lines.join('\n')}`)
        }
      }
    await client.query('rollback')
    expect(wrong).toEqual([])
    expect(orders).toBeGreaterThan(150)
  })
})

describe('the page of a big list', () => {
  const doors = big.find(({ name }) => name === 'doorControlLog')!
  const rows = Array.from({ length: 40 }, (_, n) => ({ id: String(9000 + n), cost: n % 4 === 0 ? null : (n * 7) % 9 }))

  beforeAll(async () => {
    for (const { id, cost } of rows)
      await client.query('insert into door_control_log (id, tenant_id, cost_ms, create_time) values ($1, $2, $3, $4)', [
        id,
        caller.tenantId,
        cost,
        `2026-11-01 00:00:${String(Number(id) - 9000).padStart(2, '0')}+08`,
      ])
  })

  const inOrder = (isDescending: boolean) =>
    rows
      .toSorted((one, other) => {
        const sign = isDescending ? -1 : 1
        if (one.cost === null || other.cost === null)
          return Number(one.cost === null) - Number(other.cost === null) || sign * (Number(one.id) - Number(other.id))
        return sign * (one.cost - other.cost || Number(one.id) - Number(other.id))
      })
      .map(({ id }) => id)

  test.each([
    ['upwards', { ascs: 'costMs' }, false],
    ['downwards', { descs: 'costMs' }, true],
  ])(
    'sorted %s ends in the rows that say nothing, and no row is met twice or left out',
    async (_direction, query, down) => {
      const terms = parseSortTerms(doors, query, caller)
      const met: string[] = []
      for (let offset = 0; offset < 45; offset += 7) {
        met.push(
          ...(await runQuery(selectPageKeysSql(doors, from(doors), terms, 7, offset))).map(({ id }) => String(id)),
        )
        for (const liesTogether of [false, true]) {
          const page = { scope: from(doors), filters: sql``, along: sql``, terms, size: 7, offset }
          const counted = await runQuery(countThenFetchSql(doors, sql`r.id`, page, liesTogether))
          expect(counted.map(({ id }) => id).filter((id) => id !== null)).toEqual(met.slice(offset))
          expect(counted[0].counted).toBe(40)
        }
      }
      expect(met).toEqual(inOrder(down))
    },
  )

  test('of more rows than a total counts is met near the top or looked up far down, and is the same', async () => {
    await client.query('begin')
    await client.query(`insert into door_control_log (id, tenant_id, cost_ms, create_time)
      select 20000 + n, '100002', case when n <= 10500 then 5000 else 3 end,
      timestamptz '2026-10-01' + make_interval(secs => n) from generate_series(1, 34000) n`)
    const terms = parseSortTerms(doors, {}, caller)
    const scope = sql`from door_control_log r where r.tenant_id = '100002'`
    for (const filters of [sql` and r.cost_ms > 100`, sql` and r.cost_ms >= 3`])
      for (const offset of [0, 500]) {
        const plain = await runQuery(sql`select r.id ${scope}${filters} order by r.create_time desc, r.id desc
          limit 7 offset ${offset}`)
        for (const liesTogether of [false, true]) {
          const page = { scope, filters, along: sql``, terms, size: 7, offset }
          const found = await runQuery(countThenFetchSql(doors, sql`r.id`, page, liesTogether))
          expect(found).toEqual(plain.map(({ id }) => ({ counted: 10_001, id })))
        }
      }
    await client.query('rollback')
  })

  test('that finds nothing says so and reads no page', async () => {
    const terms = parseSortTerms(doors, {}, caller)
    const none = { scope: from(doors), filters: sql` and r.cost_ms = 99`, along: sql``, terms, size: 7, offset: 0 }
    expect(await runQuery(countThenFetchSql(doors, sql`r.id`, none, false))).toEqual([{ counted: 0, id: null }])
    expect(await runQuery(countThenFetchSql(doors, sql`r.id`, none, true))).toEqual([{ counted: 0, id: null }])
  })
})
