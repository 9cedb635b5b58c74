import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { dropEndedListeners } from './ended-listeners.ts'

/** An open page stops receiving live messages once its user loses the right to them. */

let tenants: TestTenants
let platform: CastMember
let count = 0
beforeAll(async () => {
  tenants = await createTestTenants({ listen: true })
  platform = await tenants.server.as('admin')
})
afterAll(() => tenants?.close())

const system = (path: string, request: { body?: object; query?: object }) =>
  tenants.must(tenants.call(platform, 'POST', `/api/blade-system/${path}`, request as never))
const menuIdOf = async (code: string) => {
  const { rows } = await tenants.services.systemPool.query<{ id: string }>(
    sql`select id::text as id from menu where code = ${code}`,
  )
  return rows[0]!.id
}
const packageOf = async (...codes: string[]) => {
  const menuId = (await Promise.all(codes.map(menuIdOf))).join(',')
  return (await system('tenant-package/submit', { body: { packageName: `包${++count}`, menuId } })).id as string
}
const give = (packageId: string) =>
  system('tenant/package-setting', { query: { tenantId: tenants.north.tenantId, packageId } })

/** Opens a stream of live messages; `ended` resolves when the server closes it. */
async function listen(person: CastMember) {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const answer = await fetch(`${tenants.server.url}/api/live`, {
    headers: { 'blade-auth': `bearer ${person.token}` },
    signal: stop.signal,
  })
  expect(answer.status).toBe(200)
  const reader = answer.body!.getReader()
  await reader.read()
  let isOver = false
  const ended = (async () => {
    while (!(await reader.read()).done);
    isOver = true
  })().catch(() => {})
  return { ended, isOver: () => isOver }
}

/** Ways to lose a right. The outer function prepares, the one it returns takes the right away. */
const LOSSES: [string, () => Promise<() => Promise<unknown>>][] = [
  [
    'is given a package without it',
    async () => {
      const packageId = await packageOf('shop', 'basicShopInfo')
      return () => give(packageId)
    },
  ],
  [
    'has its package changed',
    async () => {
      const packageId = await packageOf('shop', 'basicShopInfo', 'camera')
      await give(packageId)
      return async () => {
        const body = { id: packageId, menuId: await menuIdOf('basicShopInfo') }
        await system('tenant-package/submit', { body })
      }
    },
  ],
  [
    'has its time end',
    async () => () => system('tenant/setting', { query: { ids: northRow, expireTime: '2020-01-01 00:00:00' } }),
  ],
]
let northRow: string
beforeAll(async () => {
  const { rows } = await tenants.services.systemPool.query<{ id: string }>(
    sql`select id::text as id from tenant where tenant_id = ${tenants.north.tenantId}`,
  )
  northRow = rows[0]!.id
})

test.each(LOSSES)(
  'a page that listens hears no more when its tenant %s, and other tenants do',
  async (_how, prepare) => {
    onTestFinished(async () => {
      await system('tenant/setting', { query: { ids: northRow, expireTime: '' } })
      await give('')
    })
    const person = await tenants.person(tenants.north, 'hears', ['basicShopInfo', 'camera'])
    const lose = await prepare()
    const [mine, theirs] = [await listen(person), await listen(tenants.south.admin)]
    await lose()
    await mine.ended
    expect(theirs.isOver()).toBe(false)
  },
)

test('a page whose tenant’s time ends by the clock alone hears no more with the next look', async () => {
  const until = (time: string | null) =>
    tenants.services.unit({ tenantId: tenants.north.tenantId }, (db) =>
      db.run(sql`update tenant set expire_time = ${time}::timestamptz where tenant_id = ${db.tenantId}`),
    )
  onTestFinished(() => void until(null))
  const person = await tenants.person(tenants.north, 'stays', ['basicShopInfo'])
  const [mine, theirs] = [await listen(person), await listen(tenants.south.admin)]
  await dropEndedListeners(tenants.services)
  expect(mine.isOver()).toBe(false)
  await until('2020-01-01T00:00:00Z')
  await dropEndedListeners(tenants.services)
  await mine.ended
  expect(theirs.isOver()).toBe(false)
})
