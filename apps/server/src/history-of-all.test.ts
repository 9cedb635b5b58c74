import { afterAll, beforeAll, expect, test } from 'vitest'
import { testProduct, type Product } from './test-product.ts'

let product: Product
beforeAll(async () => {
  product = await testProduct()
}, 120_000)
afterAll(() => product?.close())

test(
  'a former version of any resource is set back or refused with a sentence, also where rows ' +
    'are only ever added, and never crashes',
  async () => {
    const { world, cast, tenants, samples, underTest } = product
    for (const served of underTest.resources) {
      const { resource } = served
      if (
        resource.tenancy === 'platform' ||
        !(await samples.someRow(served, tenants[0]!.tenantId).catch(() => undefined))
      )
        continue
      const row = (await world.ask(cast.owner, 'GET', `${resource.path}/${resource.list.path}`)).data?.records?.[0] as
        | { id: string }
        | undefined
      for (const [id, change] of [
        [row?.id ?? '1', '1'],
        ['1', '1'],
      ]) {
        const { status, body } = await world.ask(cast.owner, 'POST', `/api/kit/history/${resource.name}/restore`, {
          body: { id, change },
        })
        expect([resource.name, status < 500, body.msg]).toEqual([resource.name, true, expect.stringMatching(/./)])
      }
    }
    const { body } = await world.ask(cast.owner, 'POST', '/api/kit/history/joinUsFollow/restore', {
      body: { id: '1', change: '1' },
    })
    expect(body).toMatchObject({ code: 400, data: { reason: 'written_elsewhere' } })
  },
)
