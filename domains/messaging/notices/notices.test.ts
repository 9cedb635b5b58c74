import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { createTestWorld, type TestCaller, type TestWorld } from '#tests/support/world.ts'
import { announceDueNoticeJob } from './notice.job.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'

let server: TestServer
let world: TestWorld
let boss: TestCaller
let clerk: TestCaller
let stranger: TestCaller
let later = 0

const base = '/api/blade-desk/notice'
const codes = new Set(['notice', 'notice_add', 'notice_edit', 'notice_delete', 'notice_view'])

beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + later) })
  world = createTestWorld(server)
  boss = world.be({ tenantId: '990001', userId: '11', permissions: codes })
  clerk = world.be({ tenantId: '990001', userId: '12' })
  stranger = world.be({ tenantId: '990002', userId: '13', permissions: codes })
})
afterAll(() => server?.close())

const publish = async (more: Record<string, unknown> = {}): Promise<string> => {
  const answer = await world.ask(boss, 'POST', `${base}/submit`, {
    body: { title: '停电通知', category: 1, content: '<p>明天停电</p>', ...more },
  })
  expect(answer.body).toMatchObject({ code: 200 })
  return answer.data.id as string
}
const mine = async (who = clerk) =>
  (await world.ask(who, 'GET', `${base}/mine`)).data as {
    records: Record<string, any>[]
    unread: number
    total: number
  }
const recordMessages = (topic: string) => {
  const messages: Record<string, any>[] = []
  server.services.live.on({ name: topic }, (message) => void messages.push(message))
  return messages
}
const inFuture = (ms: number) => formatShanghaiTime(new Date(Date.now() + later + ms))

describe('a notice', () => {
  test('reaches every browser of its tenant as soon as it is published', async () => {
    const messages = recordMessages('notice.published')
    const id = await publish()
    await expect
      .poll(() => messages.filter((one) => one.data.id === id))
      .toMatchObject([{ tenantId: '990001', data: { id, title: '停电通知', category: 1 } }])
    expect(messages[0]).not.toHaveProperty('permission')
  })

  test('is asked for among the unread ones alone, newest first, list and count the same rows', async () => {
    const ids = [await publish(), await publish(), await publish()]
    await world.ask(clerk, 'GET', `${base}/mine/detail`, { query: { id: ids[1] } })
    const { records, total, unread } = (
      await world.ask(clerk, 'GET', `${base}/mine`, { query: { isUnread: 'true', size: 200 } })
    ).data
    const shown = records.map((one: { id: string }) => one.id)
    expect(shown.slice(0, 2)).toEqual([ids[2], ids[0]])
    expect(shown).not.toContain(ids[1])
    expect(records.every((one: { isRead: boolean }) => !one.isRead)).toBe(true)
    expect([total, unread]).toEqual([shown.length, shown.length])
    expect((await mine()).records.map(({ id }) => id)).toContain(ids[1])
  })

  test('is clean of anything that runs', async () => {
    const id = await publish({
      content: '<p onclick="x()">好</p><script>alert(1)</script><img src="javascript:x" alt="a">',
    })
    const { content } = (await world.ask(boss, 'GET', `${base}/detail`, { query: { id } })).data
    expect(content).toContain('<p>好</p>')
    expect(content).not.toMatch(/script|onclick/)
  })

  test('has the words of its category and is found by title, category and time', async () => {
    const id = await publish({ title: '找得到我', category: 4 })
    const found = await world.ask(boss, 'GET', `${base}/list`, {
      query: { title: '找得到', category: 4, releaseTime_datege: '2020-01-01 00:00:00' },
      lang: 'en',
    })
    expect(found.data.records).toMatchObject([{ id, category: 4, categoryName: 'Instruction' }])
    expect(found.data.records[0]).not.toHaveProperty('content')
    expect(
      (
        await world.ask(boss, 'GET', `${base}/list`, {
          query: { title: '找得到', releaseTime_datelt: '2020-01-01 00:00:00' },
        })
      ).data.total,
    ).toBe(0)
  })

  test('with an hour to come is shown and told when it has come, once', async () => {
    const messages = recordMessages('notice.published')
    const releaseTime = inFuture(3_600_000)
    const id = await publish({ title: '以后再说', releaseTime })
    const run = () =>
      announceDueNoticeJob.run(
        { id },
        {
          tenantId: '990001',
          signal: new AbortController().signal,
          jobId: '1',
          attempt: 1,
          services: server.services,
        },
      )
    await run()
    expect((await mine()).records.map((row) => row.id)).not.toContain(id)
    const { rows } = await server.services.systemPool.query(
      `select state, run_at from job where queue = 'notice.release' and payload->>'id' = $1`,
      [id],
    )
    expect(rows).toMatchObject([{ state: 'asked', run_at: releaseTime }])
    later += 3_700_000
    await run()
    await run()
    expect((await mine()).records.map((row) => row.id)).toContain(id)
    await publish({ title: '排在后面' })
    await expect.poll(() => messages.some((one) => one.data.title === '排在后面')).toBe(true)
    expect(messages.filter((one) => one.data.id === id)).toHaveLength(1)
  })

  test('is told once, also when it is edited afterwards', async () => {
    const messages = recordMessages('notice.published')
    const id = await publish()
    await world.ask(boss, 'POST', `${base}/submit`, { body: { id, title: '改了标题' } })
    const last = await publish()
    await expect.poll(() => messages.some((one) => one.data.id === last)).toBe(true)
    expect(messages.filter((one) => one.data.id === id)).toHaveLength(1)
  })
})

describe('own notices', () => {
  test('are unread until read, by each person alone', async () => {
    const id = await publish()
    const before = await mine()
    expect(before.records.find((row) => row.id === id)).toMatchObject({ isRead: false, categoryName: '发布通知' })
    const opened = await world.ask(clerk, 'GET', `${base}/mine/detail`, { query: { id } })
    expect(opened.data).toMatchObject({ id, content: '<p>明天停电</p>', isRead: true })
    const after = await mine()
    expect(after.unread).toBe(before.unread - 1)
    expect(after.records.find((row) => row.id === id)).toMatchObject({ isRead: true })
    expect((await mine(boss)).records.find((row) => row.id === id)).toMatchObject({ isRead: false })
    await world.ask(clerk, 'POST', `${base}/mine/read`)
    expect((await mine()).unread).toBe(0)
    expect((await mine(boss)).unread).toBeGreaterThan(0)
  })

  test('need no permission, but a session of that tenant', async () => {
    const id = await publish()
    expect((await world.ask(undefined, 'GET', `${base}/mine`)).code).toBe(401)
    expect((await mine(stranger)).records.map((row) => row.id)).not.toContain(id)
    expect((await world.ask(stranger, 'GET', `${base}/mine/detail`, { query: { id } })).code).toBe(404)
    expect((await world.ask(stranger, 'POST', `${base}/mine/read`, { query: { ids: id } })).data).toEqual({ count: 0 })
    expect((await world.ask(clerk, 'GET', `${base}/list`)).code).toBe(403)
  })
})
