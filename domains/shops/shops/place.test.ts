import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { testDatabase } from '#tests/support/database.ts'
import { regionsOfDistrict } from './place.ts'

let tenants: TestTenants
beforeAll(async () => {
  tenants = await createTestTenants()
})
afterAll(() => tenants.close())

describe('the province and city of a place', () => {
  it('are regions there are, for every county and city of China', async () => {
    const regions = await tenants.services.unit({ tenantId: '100001' }, (db) =>
      db.query<{ code: string; regionLevel: number }>(sql`select code, region_level from region`),
    )
    const known = new Set(regions.map(({ code }) => code))
    const below = regions.filter(({ regionLevel }) => regionLevel > 1)
    expect(below.length).toBeGreaterThan(3000)
    const wrong = below.flatMap(({ code }) =>
      Object.values(regionsOfDistrict(code)).filter((one) => one && !known.has(one)),
    )
    expect([...new Set(wrong)]).toEqual([])
  })

  it(
    'of a shop are found by the same code as the region, also where a client ' + 'writes the six digits of the state',
    async () => {
      const { admin } = tenants.north
      const call = (query: Record<string, string>) =>
        tenants.must(tenants.call(admin, 'GET', '/api/shop/basicShopInfo/list', { query }))
      const { id } = await tenants.must(
        tenants.call(admin, 'POST', '/api/shop/basicShopInfo/submit', {
          body: { shopName: '西溪店', shopCode: 'P1', district: '330106' },
        }),
      )
      const { data } = await tenants.call(admin, 'GET', '/api/shop/basicShopInfo/detail', { query: { id } })
      expect(data).toMatchObject({
        province: '33',
        provinceName: '浙江省',
        city: '3301',
        cityName: '浙江省/杭州市',
        district: '330106',
      })
      for (const query of [
        { district_likeright: '330000' },
        { district_likeright: '33' },
        { province: '330000' },
        { city_equal: '330100' },
      ])
        expect([query, (await call(query as never)).records.map((row: { id: string }) => row.id)]).toEqual([
          query,
          [id],
        ])
      expect((await call({ district_likeright: '340000' })).total).toBe(0)
    },
  )

  it(
    'that were written with the digits of the state get those of the region by the ' +
      'migration, and nothing else changes',
    async () => {
      const database = await testDatabase()
      const owner = new pg.Client(database.url)
      await owner.connect()
      try {
        await owner.query(
          `insert into basic_shop_info (id, tenant_id, shop_name, shop_code, province, city, district)
          select id, 't', 'shop ' || id, id, province, city, district
          from (values (1, '330000', '330100', '330106'), (2, '33', '3301', '330110'), (3, null, null, '510000'),
          (4, '11', '1101', '110101')) as row (id, province, city, district)`,
        )
        await owner.query(
          await readFile(
            new URL('../../../migrations/0017-regions-by-the-codes-they-have.sql', import.meta.url),
            'utf8',
          ),
        )
        const { rows } = await owner.query('select province, city, district from basic_shop_info order by id')
        expect(rows.map(Object.values)).toEqual([
          ['33', '3301', '330106'],
          ['33', '3301', '330110'],
          [null, null, '51'],
          ['11', '1101', '110101'],
        ])
      } finally {
        await owner.end()
        await database.drop()
      }
    },
  )
})
