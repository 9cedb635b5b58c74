import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasPermission } from '#kit/server/base/caller.ts'
import { testServer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { resolveHomeRole } from './home.server.ts'

let server: TestServer
const people: Record<string, CastMember> = {}
const home = async (who: string, query: Record<string, unknown> = {}) =>
  (await server.call(people[who], 'GET', '/api/shop/home/today', { query })).data

beforeAll(async () => {
  server = await testServer({ storyDays: 2 })
  for (const [account, tenantId] of [
    ['admin', '000000'],
    ['wu', '100001'],
    ['lin', '100001'],
    ['zhou', '100001'],
    ['xu', '100001'],
  ] as const)
    people[account] = await server.as(account, { tenantId })
})
afterAll(() => server?.close())

const setExpiry = async (tenantId: string, expireTime: string) => {
  const { records } = (await server.call(people.admin, 'GET', '/api/blade-system/tenant/list', { query: { tenantId } }))
    .data
  const answer = await server.call(people.admin, 'POST', '/api/blade-system/tenant/setting', {
    query: { ids: records[0].id, accountNumber: -1, expireTime },
  })
  expect(answer.status).toBe(200)
}

describe('the home page', () => {
  it(
    'knows whose it is: the platform’s, a chain’s, a boss’s or a clerk’s, also of ' +
      'somebody with a role of another name',
    async () => {
      const roles = await Promise.all(['admin', 'wu', 'lin', 'zhou'].map(async (who) => (await home(who)).role))
      expect(roles).toEqual(['platform', 'tenant', 'boss', 'clerk'])
      expect(resolveHomeRole({ isPlatform: false, limits: { shop: [] }, roleAliases: ['night-shift'] })).toBe('clerk')
      expect(resolveHomeRole({ isPlatform: false, limits: {}, roleAliases: ['bookkeeper'] })).toBe('tenant')
    },
  )

  it('has saved views as tiles: as many rows as their list has for this reader, and what those come to', async () => {
    const [role] = (await server.call(people.lin, 'GET', '/api/kit/views/shoppingOrder')).data.roles
    const state = { filters: { status_in: '1,2,3,4', payTime_notnull: 'true' } }
    const body = { name: '已付', roleId: role.id, asTile: true, state }
    const saved = await server.call(people.wu, 'POST', '/api/kit/views/shoppingOrder', { body })
    expect(saved.status).toBe(200)
    const tiles = async (who: string) =>
      (await server.call(people[who], 'GET', '/api/kit/placed-views', { query: { place: 'tile' } })).data
    const [tile] = await tiles('lin')
    const { data } = await server.call(people.lin, 'GET', '/api/shop/shoppingOrder/web/boss/list', {
      query: { ...state.filters, size: 1000 },
    })
    const cents = data.records.reduce((sum: number, row: any) => sum + Math.round(Number(row.payAmount) * 100), 0)
    expect(data.total).toBeGreaterThan(0)
    expect(tile).toMatchObject({ name: '已付', count: data.total, amount: (cents / 100).toFixed(2) })
    // It is nobody's who has not the role; nor is its maker, who has another one, shown it on their page.
    expect([await tiles('wu'), await tiles('zhou')]).toEqual([[], []])
  })

  it(
    'shows who works in shops what waits there, row by row as the list behind it ' +
      'begins, and nothing of other shops',
    async () => {
      for (const who of ['zhou', 'xu', 'lin']) {
        const { needs, shops } = await home(who)
        const mine = new Set(shops.map((shop: { id: string }) => shop.id))
        expect(needs.map(({ key }: { key: string }) => key)).toEqual(
          expect.arrayContaining(who === 'xu' ? ['lowStock'] : ['deliveries', 'lowStock']),
        )
        for (const need of needs) {
          const { resource } = server.services.registry.served.get(need.resource)!
          const { records, total } = (
            await server.call(people[who], 'GET', `${resource.path}/${resource.list.path}`, {
              query: { ...need.query, size: 4 },
            })
          ).data
          expect([who, need.key, need.count]).toEqual([who, need.key, total])
          expect([who, need.key, need.rows?.map((row: { id: string }) => row.id)]).toEqual([
            who,
            need.key,
            records.map((row: { id: string }) => row.id),
          ])
          for (const row of need.rows) expect([need.key, row.title]).toEqual([need.key, expect.stringMatching(/\S/)])
          expect(records.filter(({ shopId }: { shopId?: string }) => shopId && !mine.has(shopId))).toEqual([])
        }
      }
    },
  )

  it('asks nobody for what he may not do: a clerk approves no refund, a boss has no tenants', async () => {
    const keys = async (who: string) => (await home(who)).needs.map(({ key }: { key: string }) => key) as string[]
    const [boss, clerk] = await Promise.all([keys('lin'), keys('zhou')])
    expect(boss).toContain('refundsWaiting')
    expect(clerk).not.toContain('refundsWaiting')
    expect([...boss, ...clerk].filter((key) => key.startsWith('tenants'))).toEqual([])
    const caller = (await server.services.access.callerOf(people.zhou!.token))!
    const todos = server.services.registry.modules
      .flatMap((module) => module.todos ?? [])
      .filter(({ key }) => clerk.includes(key))
    for (const need of todos) expect([need.key, !need.can || hasPermission(caller, need.can)]).toEqual([need.key, true])
  })

  it('puts customers who wait before shelves, and what went wrong before both', async () => {
    const { needs } = await home('lin')
    const at = (key: string) => needs.findIndex((need: { key: string }) => need.key === key)
    expect(at('deliveries')).toBeLessThan(at('lowStock'))
    const tones = needs.map((need: { tone: string }) => need.tone)
    expect(tones.lastIndexOf('bad')).toBeLessThan(tones.indexOf('warn'))
  })

  it('offers to begin what the reader may do, and nothing else', async () => {
    const { shortcuts } = await home('zhou')
    expect(shortcuts.map(({ key }: { key: string }) => key)).toEqual(['scan', 'receive', 'count', 'loss'])
    const caller = (await server.services.access.callerOf(people.zhou!.token))!
    const declared = server.services.registry.modules.flatMap((module) => module.shortcuts ?? [])
    const codes = new Set(['goodInfo', 'goodInfo_loss'])
    expect(
      declared.filter(({ can }) => hasPermission({ ...caller, permissions: codes }, can)).map(({ key }) => key),
    ).toEqual(['scan', 'loss'])
  })

  it('says what is late as late, and of one shop does not repeat which', async () => {
    const { needs } = await home('zhou')
    const work = needs.find((need: { key: string }) => need.key === 'worksMine')
    expect(work.rows[0]).toMatchObject({ isLate: true })
    // A transfer says from where to where all the same.
    const others = needs.filter(({ key }: { key: string }) => key !== 'transfersOnTheWay')
    expect(others.length).toBeGreaterThan(0)
    for (const { rows } of others) for (const { notes } of rows) expect(notes).not.toContain('西溪湿地店')
  })

  it(
    'of the platform has every tenant with the trade of seven days to the cent, its ' +
      'shops, and until when it may stay',
    async () => {
      const day = (days: number) => new Date(Date.now() + 8 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10)
      await setExpiry('100001', `${day(12)} 12:00:00`)
      await setExpiry('100002', `${day(200)} 12:00:00`)
      const { platform, needs } = await home('admin')
      expect(platform.tenantCount).toBe(3)
      const of = (tenantId: string) => platform.tenants.find((one: { tenantId: string }) => one.tenantId === tenantId)
      expect(of('100001')).toMatchObject({ expireTime: `${day(12)} 12:00:00`, shops: 5 })
      expect(needs.find((need: { key: string }) => need.key === 'tenantsExpiring')).toMatchObject({ count: 1 })
      expect(needs.map(({ key }: { key: string }) => key)).not.toContain('lowStock')
      const week = (
        await server.call(people.wu, 'GET', '/api/shop/statistics/incomePanelByDate', {
          query: { createTime_dategt: day(-6), createTime_datelt: day(0) },
        })
      ).data
      expect(of('100001').days).toEqual(
        week.map(({ date, income }: { date: string; income: string }) => ({ day: date, sales: income })),
      )
      expect(of('100001').sales).toBe(week.at(-1).income)
      expect((await home('wu')).platform).toBeUndefined()
    },
  )
})
