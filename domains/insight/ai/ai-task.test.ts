import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#kit/server/base/caller.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { createTestWorld } from '#tests/support/world.ts'

let tenants: TestTenants
let shop: string
let otherShop: string
const cameras: Record<string, string> = {}

beforeAll(async () => {
  tenants = await createTestTenants()
  ;[shop, otherShop] = tenants.north.shops as [string, string]
  for (const [sn, shopId, type] of [
    ['CAM-1', shop, 'camera'],
    ['CAM-2', otherShop, 'camera'],
    ['DOOR-1', shop, 'door'],
  ] as const)
    cameras[sn] = (await tenants.must(post('deviceInfo/submit', { name: sn, sn, shopId, type }))).id
})
afterAll(() => tenants.close())

const post = (path: string, body: object) => tenants.call(tenants.north.admin, 'POST', `/api/shop/${path}`, { body })
let made = 0
const task = (draft: object) =>
  post('aiTask/submit', { name: `巡检${++made}`, shopId: shop, targetType: 'camera', workflow: 'w', ...draft })
const list = (query: Record<string, string>, lang?: 'en') =>
  tenants.call(tenants.north.admin, 'GET', '/api/shop/aiTask/targetList', { query, lang })

describe('what an AI task looks at', () => {
  it('are rows of its kind in its shop, shown by their names, and no others', async () => {
    const { id } = await tenants.must(task({ targetIds: cameras['CAM-1'] }))
    const { data } = await tenants.call(tenants.north.admin, 'GET', '/api/shop/aiTask/detail', { query: { id } })
    expect(data).toMatchObject({ targetIds: cameras['CAM-1'], targetNames: 'CAM-1' })
    for (const targetIds of [
      cameras['CAM-2'],
      cameras['DOOR-1'],
      `${cameras['CAM-1']},${cameras['CAM-2']}`,
      '12345',
      'front door',
    ])
      expect([targetIds, (await task({ targetIds })).data.fields]).toEqual([
        targetIds,
        { targetIds: expect.any(String) },
      ])
  })

  it('must fit again when the task moves to another shop or looks at something else', async () => {
    const { id } = await tenants.must(task({ targetIds: cameras['CAM-1'] }))
    expect((await post('aiTask/submit', { id, shopId: otherShop })).data.fields).toHaveProperty('targetIds')
    expect((await post('aiTask/submit', { id, targetType: 'order' })).data.fields).toHaveProperty('targetIds')
    await tenants.must(post('aiTask/submit', { id, shopId: otherShop, targetIds: cameras['CAM-2'] }))
    await tenants.must(post('aiTask/submit', { id, remark: '夜间' }))
    await tenants.must(post('aiTask/submit', { id, targetIds: '' }))
  })

  it('is listed for a shop; of an unknown kind it is the kind that is refused, and not the shop', async () => {
    expect(await tenants.must(list({ shopId: shop, targetType: 'camera' }))).toMatchObject([
      { id: cameras['CAM-1'], name: 'CAM-1' },
    ])
    const refused = await list({ shopId: shop, targetType: 'fridge' }, 'en')
    expect(refused).toMatchObject({
      status: 400,
      data: { fields: { targetType: expect.stringContaining('Target type') } },
    })
    expect(refused.body.msg).not.toMatch(/shop/i)
    expect((await list({ shopId: '77', targetType: 'camera' })).status).toBe(404)
  })

  it('is told by name alone to who may not list it, and not at all where a data scope hides it', async () => {
    await tenants.must(post('deviceInfo/submit', { id: cameras['CAM-1'], position: '收银台上方' }))
    const world = createTestWorld(tenants.server)
    const ask = async (rights: Partial<Caller>) => {
      const permissions = new Set(['aiTask', 'aiTask_add', ...(rights.permissions ?? [])])
      const who = world.be({ tenantId: tenants.north.tenantId, ...rights, permissions })
      const { data } = await world.ask(who, 'GET', '/api/shop/aiTask/targetList', {
        query: { shopId: shop, targetType: 'camera' },
      })
      const body = {
        name: `巡检${++made}`,
        shopId: shop,
        targetType: 'camera',
        workflow: 'w',
        targetIds: cameras['CAM-1'],
      }
      const saved = await world.ask(who, 'POST', '/api/shop/aiTask/submit', { body })
      return [data.map((one: { name: string; extra: string }) => `${one.name} ${one.extra}`), saved.status]
    }
    const scope = (more: object) => [{ resourceCode: 'deviceInfo', type: 1, column: null, value: null, ...more }]
    const permissions = new Set(['deviceInfo'])
    expect(await ask({ permissions })).toEqual([['CAM-1 收银台上方'], 200])
    expect(await ask({})).toEqual([['CAM-1 '], 200])
    expect(await ask({ permissions, dataScopes: scope({ fields: 'name,sn' }) })).toEqual([['CAM-1 '], 200])
    expect(await ask({ permissions, dataScopes: scope({ type: 5, value: "sn = 'CAM-2'" }) })).toEqual([[], 400])
  })
})
