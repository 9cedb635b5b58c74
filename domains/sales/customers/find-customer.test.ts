import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findIdsByNgrams } from '#kit/server/query/by-grams.ts'
import { parseListFilters, containsTextSql } from '#kit/server/query/filters.ts'
import { createPool, sql, type Pool } from '#kit/server/database/db.ts'
import { anonymousCaller } from '#kit/server/request/pipeline.ts'
import { testDatabase } from '#tests/support/database.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { wxUser } from './wx-user.resource.ts'

/** Names to search: ordinary ones, and ones with characters that are special in a pattern. */
const NAMES = [
  '苏打水爱好者',
  '李雷',
  '李雷雷',
  '水果摊主',
  '汽水',
  'Tom·Ölsen',
  "O'Brien 100%",
  'C:\\temp_1',
  '😀笑笑',
  '水',
  'İstanbul',
  'Tom😀',
]
let tenants: TestTenants
let owner: pg.Client
let pool: Pool
let [mine, other] = ['', '']

beforeAll(async () => {
  tenants = await createTestTenants()
  owner = new pg.Client(tenants.server.databaseUrl)
  await owner.connect()
  pool = createPool(tenants.server.databaseUrl, { max: 1 })
  ;[mine, other] = [tenants.north.admin.tenantId, tenants.south.admin.tenantId]
  for (const [tenant, first] of [
    [mine, 7_700_000],
    [other, 7_800_000],
  ])
    await owner.query(
      `insert into wx_user (id, tenant_id, nickname, phone)
        select $2::bigint + n, $1, name, '1380013' || lpad(n::text, 4, '0')
        from unnest($3::text[]) with ordinality u(name, n)`,
      [tenant, first, NAMES],
    )
})
afterAll(async () => {
  await owner.end()
  await pool.end()
  await tenants.close()
})

/** Names the trigram index function finds for a part, read as a tenant under row-level security. */
async function byGrams(tenant: string, part: string): Promise<string[]> {
  await owner.query('begin')
  try {
    await owner.query(`set local role store_app; set local app.tenant = '${tenant}'`)
    const { rows } = await owner.query<{ name: string }>(
      `select nickname as name from wx_user where id in (select wx_user_holding_nickname($1, 100)) order by id`,
      [part],
    )
    return rows.map(({ name }) => name)
  } finally {
    await owner.query('rollback')
  }
}

describe('a text is found by any part of it', () => {
  it('on its index: every part of every name finds all that hold it, in whatever case, and no other', async () => {
    const parts = new Set(
      NAMES.flatMap((name) => {
        const signs = [...name]
        return signs.flatMap((_sign, from) => [1, 2, 3, 20].map((size) => signs.slice(from, from + size).join('')))
      }),
    )
    for (const part of parts)
      for (const entered of [part, part.toUpperCase()]) {
        const { rows } = await owner.query<{ name: string }>(
          `select nickname as name from wx_user where tenant_id = $1 and nickname ilike $2 order by id`,
          [mine, `%${entered.replace(/[\\%_]/g, '\\$&')}%`],
        )
        const wanted = rows.map(({ name }) => name)
        expect([entered, await byGrams(mine, entered)]).toEqual([entered, wanted])
        const { text, values } = sql`select nickname as name from wx_user where tenant_id = ${mine}
          and ${containsTextSql(sql`nickname`, entered)} order by id`
        const held = await owner.query<{ name: string }>(text, values)
        expect([entered, held.rows.map(({ name }) => name)]).toEqual([entered, wanted])
      }
    for (const never of ['苏水', '雷李', '%', '_', '李雷%'])
      expect([never, await byGrams(mine, never)]).toEqual([never, NAMES.filter((name) => name.includes(never))])
  })

  it('though the database takes no sign but those of ASCII for letters', async () => {
    const { rows } = await owner.query(`select datctype from pg_database where datname = current_database()`)
    expect(rows).toEqual([{ datctype: 'C' }])
    expect(await byGrams(mine, '打水')).toEqual(['苏打水爱好者'])
  })

  it("not by another tenant, nor by nobody's, whatever is asked of the function itself", async () => {
    for (const tenant of ['330003', ''])
      for (const part of ['李雷', '水', `' | '${mine}:李雷`, `${mine}:李`])
        expect([tenant, part, await byGrams(tenant, part)]).toEqual([tenant, part, []])
    await owner.query(`begin; set local role store_app; set local app.tenant = '${other}'`)
    const { rows } = await owner.query(`select array(select wx_user_holding_nickname('李雷', 100) order by 1) as ids`)
    await owner.query('rollback')
    expect(rows).toEqual([{ ids: ['7800002', '7800003'] }])
  })

  it('as many as are asked for and no more', async () => {
    await owner.query(`begin; set local role store_app; set local app.tenant = '${mine}'`)
    const { rows } = await owner.query(`select wx_user_holding_nickname('水', 2)`)
    await owner.query('rollback')
    expect(rows).toHaveLength(2)
  })

  it('on that index for every tenant of a connection, whichever was there first', async () => {
    const database = await testDatabase()
    const client = new pg.Client(database.url)
    await client.connect()
    try {
      await client.query(`insert into wx_user (id, tenant_id, nickname)
        select n, case when n < 5 then 'small' else 'large' end, 'customer ' || n from generate_series(1, 30000) n;
        analyze wx_user; set role store_app`)
      for (const tenant of ['small', 'large']) {
        await client.query(`set app.tenant = '${tenant}'`)
        const of = tenant === 'small' ? '3' : '29999'
        const { rows } = await client.query(`select wx_user_holding_nickname($1, 100) as id`, [`customer ${of}`])
        expect(rows).toEqual([{ id: of }])
      }
      await client.query('reset role; select pg_stat_force_next_flush()')
      const { rows } = await client.query(`select indexrelname as index from pg_stat_user_indexes
        where relname = 'wx_user' and idx_scan > 0`)
      expect(rows).toEqual([{ index: 'wx_user_grams_of_nickname' }])
    } finally {
      await client.end()
      await database.drop()
    }
  })

  it('in the list of the tenant, with every other condition beside it', async () => {
    const found = async (person: CastMember, query: Record<string, string>) => {
      const page = await tenants.must(tenants.call(person, 'GET', '/api/shop/wxUser/list', { query }))
      return [page.total, page.records.map((row: { nickname: string }) => row.nickname).sort()]
    }
    expect(await found(tenants.north.admin, { nickname: '雷' })).toEqual([2, ['李雷', '李雷雷']])
    expect(await found(tenants.north.admin, { nickname: 'öL' })).toEqual([1, ['Tom·Ölsen']])
    expect(await found(tenants.north.admin, { nickname: '雷', phone: '13800130003' })).toEqual([1, ['李雷雷']])
    expect(await found(tenants.north.admin, { nickname_likeleft: '水' })).toEqual([2, ['水', '汽水']])
    expect(await found(tenants.north.admin, { nickname_likeright: 'Tom' })).toEqual([2, ['Tom·Ölsen', 'Tom😀']])
    expect(await found(tenants.north.admin, { nickname: '雷', createTime_datege: '2999-01-01' })).toEqual([0, []])
    expect(await found(tenants.north.admin, { nickname: '雷水' })).toEqual([0, []])
  })

  it('by the last four digits of a phone, in the list and where a customer is picked', async () => {
    const ask = (path: string, query: Record<string, string>) =>
      tenants.must(tenants.call(tenants.north.admin, 'GET', path, { query }))
    for (const [end, names] of [
      ['0003', ['李雷雷']],
      [' 0003 ', ['李雷雷']],
      ['9999', []],
    ] as const) {
      const { records } = await ask('/api/shop/wxUser/list', { phone_like: end })
      expect(records.map(({ nickname }: { nickname: string }) => nickname)).toEqual(names)
      const picked = await ask('/api/kit/options/wxUser', { key: end })
      expect(picked.map(({ title }: { title: string }) => title)).toEqual(names)
    }
    const [one] = await ask('/api/kit/options/wxUser', { key: '0003' })
    expect(one.code).toBe('138****0003')
    await expect(ask('/api/shop/wxUser/list', { phone_like: '003' })).rejects.toThrow(/最后 4 位/)
  })

  it('of few rows the list reads those alone; who sees all tenants reads as before', async () => {
    const filters = { nickname: '雷', nickname_like: '李' }
    expect(
      (
        await findIdsByNgrams(pool, { tenantId: mine }, wxUser, parseListFilters(wxUser, filters, anonymousCaller))
      )?.sort(),
    ).toEqual(['7700002', '7700003'])
    const crossTenantReason = { tenantId: '000000', crossTenantReason: 'platform administrator' }
    expect(
      await findIdsByNgrams(pool, crossTenantReason, wxUser, parseListFilters(wxUser, filters, anonymousCaller)),
    ).toBeUndefined()
    expect(
      await findIdsByNgrams(
        pool,
        { tenantId: mine },
        wxUser,
        parseListFilters(wxUser, { remark: '雷' }, anonymousCaller),
      ),
    ).toBeUndefined()
  })
})
