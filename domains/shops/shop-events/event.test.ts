import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { raiseEvent, resolveEvents, type RaiseEventInput } from './event.server.ts'

let tenants: TestTenants
beforeAll(async () => {
  tenants = await createTestTenants()
})
afterAll(() => tenants?.close())

const base = '/api/shop/event'
const inNorth = <T>(work: Parameters<typeof tenants.services.unit<T>>[1]) =>
  tenants.services.unit({ tenantId: '100001' }, work)
const raise = (raised: Partial<RaiseEventInput> = {}) =>
  inNorth((db) => raiseEvent(db, { shopId: tenants.north.shops[0]!, type: 'sos', content: '求助', ...raised }))
const detail = async (id: string, who = tenants.north.admin) =>
  tenants.must(tenants.call(who, 'GET', `${base}/detail`, { query: { id } }))

describe('an event', () => {
  test(
    'that is said again while it is open is counted, also by many callers at the ' + 'same time, and is never two rows',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.constantFrom('冰柜', '门口', '收银台'), { minLength: 1, maxLength: 12 }),
          async (subjects) => {
            const run = `${subjects.length}-${Math.random()}`
            const ids = await Promise.all(
              subjects.map((subject) => raise({ type: 'temperature', subject: `${subject}${run}`, content: subject })),
            )
            for (const subject of new Set(subjects)) {
              const same = new Set(ids.filter((_id, at) => subjects[at] === subject))
              expect(same.size).toBe(1)
              const row = await detail([...same][0]!)
              expect(row).toMatchObject({
                count: subjects.filter((one) => one === subject).length,
                status: 0,
                level: 2,
              })
            }
          },
        ),
        { numRuns: 12 },
      )
    },
  )

  test('said again in another shop, of another kind or subject is another one', async () => {
    const ids = [
      await raise({ subject: 'a' }),
      await raise({ subject: 'b' }),
      await raise({ subject: 'a', type: 'intrusion' }),
      await raise({ subject: 'a', shopId: tenants.north.shops[1]! }),
    ]
    expect(new Set(ids).size).toBe(4)
  })

  test('is settled by the system when its cause is gone, and happens anew afterwards', async () => {
    const first = await raise({ deviceId: '77' })
    const resolveEvent = () =>
      inNorth((db) => resolveEvents(db, { shopId: tenants.north.shops[0]!, type: 'sos', deviceId: '77' }))
    expect(await Promise.all([resolveEvent(), resolveEvent()]).then((counts) => counts.reduce((a, b) => a + b))).toBe(1)
    expect(await detail(first)).toMatchObject({ status: 2, handler: '', handleRemark: '已自动恢复' })
    expect(
      (await tenants.call(tenants.north.admin, 'GET', `${base}/detail`, { query: { id: first }, lang: 'en' })).data
        .handleRemark,
    ).toBe('Recovered automatically')
    expect(await raise({ deviceId: '77' })).not.toBe(first)
  })

  test(
    'is acknowledged, then resolved with a remark, by whom it says; once ' + 'resolved it is not handled again',
    async () => {
      const boss = await tenants.boss(tenants.north, tenants.north.shops[0]!)
      const id = await raise({ subject: 'handled' })
      const act = (name: string, body: object) =>
        tenants.call(boss, 'POST', `${base}/${name}`, { query: { ids: id }, body })
      expect((await act('resolve', {})).status).toBe(400)
      expect((await act('acknowledge', {})).status).toBe(200)
      expect(await detail(id, boss)).toMatchObject({ status: 1, handler: boss.userId, isRead: true })
      expect((await act('acknowledge', {})).data.reason).toBe('action_not_now')
      expect((await act('resolve', { remark: '误触' })).status).toBe(200)
      expect(await detail(id, boss)).toMatchObject({ status: 2, handleRemark: '误触' })
      expect((await act('resolve', { remark: '再来' })).data.reason).toBe('action_not_now')
    },
  )

  test('is unread for each person until read, and nobody reads or handles what is not theirs', async () => {
    const [here, otherShop] = tenants.north.shops as [string, string]
    const boss = await tenants.boss(tenants.north, here)
    const mine = await raise({ subject: 'unread' })
    const other = await raise({ subject: 'unread', shopId: otherShop })
    const unread = async () =>
      (
        await tenants.must(tenants.call(boss, 'GET', `${base}/list`, { query: { isUnread: 'true', size: 100 } }))
      ).records.map((row: { id: string }) => row.id) as string[]
    expect(await unread()).toContain(mine)
    expect(await unread()).not.toContain(other)
    const { count } = await tenants.must(
      tenants.call(boss, 'POST', `${base}/read`, { query: { ids: `${mine},${other}` } }),
    )
    expect(count).toBe(1)
    expect(await unread()).not.toContain(mine)
    expect((await tenants.call(boss, 'POST', `${base}/acknowledge`, { query: { ids: other } })).status).toBe(404)
    expect((await tenants.call(tenants.south.admin, 'GET', `${base}/detail`, { query: { id: mine } })).status).toBe(404)
    const inbox = await tenants.must(tenants.call(boss, 'GET', `${base}/inbox`))
    expect(inbox.open).toBeGreaterThan(inbox.unread - 1)
  })

  test('speaks the language of who reads it', async () => {
    const id = await raise({ subject: 'words', content: { zh: '求助按钮', en: 'Help button' } })
    const read = (lang: 'zh' | 'en') =>
      tenants.call(tenants.north.admin, 'GET', `${base}/detail`, { query: { id }, lang })
    expect((await read('zh')).data.content).toBe('求助按钮')
    expect((await read('en')).data.content).toBe('Help button')
  })
})
