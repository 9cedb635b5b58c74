import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'

let tenants: TestTenants
beforeAll(async () => {
  tenants = await createTestTenants()
})
afterAll(() => tenants.close())

const resources: Record<string, { table: string; more: object }> = {
  tagAccount: { table: 'tag_account', more: { brand: 'cloudEsl', storeNo: '1', enabled: false } },
  speechEngine: { table: 'speech_engine', more: { category: 'azure', region: 'eastasia' } },
  printAccount: { table: 'print_account', more: { brand: 'feie', user: 'u' } },
}

it.each(Object.entries(resources))(
  'a secret of %s is not sent to where whoever has not read it would like',
  async (name, { table, more }) => {
    const { admin, tenantId, shops } = tenants.north
    const submit = (body: object) => tenants.call(admin, 'POST', `/api/shop/${name}/submit`, { body })
    const [home, elsewhere] = ['https://maker.example.com', 'https://elsewhere.example.org']
    const base = { name: 'one', ...(name === 'tagAccount' ? { shopId: shops[0] } : {}), ...more }
    const { id } = await tenants.must(submit({ ...base, endpoint: home, secretKey: 'geheim' }))
    const row = () =>
      tenants.services.unit({ tenantId }, (db) =>
        db.one<any>(
          sql`select * from ${sql([table])}
          where tenant_id = ${tenantId} and id = ${id}`,
        ),
      )
    for (const secretKey of [undefined, '******'])
      expect((await submit({ ...base, id, endpoint: elsewhere, secretKey })).data.reason).toBe(
        'endpoint_without_secret',
      )
    expect((await row()).endpoint).toBe(home)
    // Other changes need no secret, and a tenant cannot permit itself private addresses.
    await tenants.must(submit({ ...base, id, name: 'two', endpoint: home, mayBeInside: true }))
    expect(await row()).toMatchObject({ name: 'two', mayBeInside: false })
    await tenants.must(submit({ ...base, id, endpoint: elsewhere, secretKey: 'another' }))
    expect((await row()).endpoint).toBe(elsewhere)
  },
)
