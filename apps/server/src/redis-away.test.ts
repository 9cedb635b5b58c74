import { afterEach, describe, expect, test, vi } from 'vitest'
import { redisAnswers, redisUrl } from '#tests/support/scratch-database.ts'
import { openTcpProxy, type TcpProxy } from '#tests/support/tcp-proxy.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'

const servers: TestServer[] = []
const doors: TcpProxy[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  for (const door of doors.splice(0)) door.shut()
})

const startWith = async (REDIS_URL: string) => {
  const server = await testServer({ env: { REDIS_URL } })
  servers.push(server)
  return server
}
const info = (server: TestServer, person: Awaited<ReturnType<TestServer['as']>>) =>
  server.call(person, 'GET', '/api/blade-system/user/info')

/**
 * Signs in, makes calls, requests a captcha and signs out. The session must end at once, in the database and in every
 * cache.
 */
async function comeAndGo(server: TestServer) {
  const admin = await server.as('admin')
  expect((await info(server, admin)).status).toBe(200)
  expect((await server.call(undefined, 'GET', '/api/blade-auth/oauth/captcha')).status).toBe(200)
  expect((await server.call(admin, 'GET', '/api/blade-auth/oauth/logout')).body).toMatchObject({ success: 'true' })
  expect((await info(server, admin)).status).toBe(401)
  const { rows } = await server.services.systemPool.query('select revoke_reason from session where revoked_at is null')
  expect(rows).toEqual([])
}

describe('with Redis away', () => {
  test(
    'from the start one signs in, works and signs out, and what ends is ended: no ' +
      'call crashes and no session lives on',
    async () => {
      const server = await startWith('redis://127.0.0.1:9')
      await comeAndGo(server)
      expect(server.services.shared.isStandingIn?.()).toBe(true)
    },
  )

  test('a one-time value put where Redis was not is taken once, and a wrong one never', async () => {
    const { shared } = (await startWith('redis://127.0.0.1:9')).services
    await shared.put(tenantSharedKey('000000', 'once'), 'x', 60)
    expect(await shared.take(tenantSharedKey('000000', 'once'))).toBe('x')
    expect(await shared.take(tenantSharedKey('000000', 'once'))).toBeUndefined()
  })

  test('the counts that stop guessing go on in the database', async () => {
    const { shared } = (await startWith('redis://127.0.0.1:9')).services
    expect(await shared.increment(tenantSharedKey('000000', 'tries'), 60)).toBe(1)
    expect(await shared.increment(tenantSharedKey('000000', 'tries'), 60)).toBe(2)
    expect(await shared.count(tenantSharedKey('000000', 'tries'))).toBe(2)
  })
})

describe.runIf(redisAnswers)('when Redis goes under a running server', () => {
  test('signing in and out goes on, and a session ended elsewhere is forgotten here', async () => {
    const door = await openTcpProxy(redisUrl, 6379)
    doors.push(door)
    const server = await startWith(door.urlOf(redisUrl))
    await server.services.shared.put(tenantSharedKey('000000', 'before'), 1, 60)
    await vi.waitFor(async () => expect(await server.services.shared.read(tenantSharedKey('000000', 'before'))).toBe(1))
    door.shut()
    await comeAndGo(server)
    const received: unknown[] = []
    await server.services.shared.subscribe('access', (message) => received.push(message))
    await server.services.shared.publish('access', 'changed')
    await vi.waitFor(() => expect(received).toContain('changed'))
  })
})
