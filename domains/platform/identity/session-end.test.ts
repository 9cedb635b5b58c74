import { afterAll, beforeAll, expect, test } from 'vitest'
import { md5Hex } from '#kit/server/security/index.ts'
import { basic, testServer, type Answer, type CastMember, type TestServer } from '#tests/support/server.ts'
import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import { sql } from '#kit/server/database/db.ts'
import { createTenant } from '#domains/platform/system/api.ts'
import { createUser } from './api.ts'
import { endSessions } from './sessions.ts'
import { setPasswords } from './user.server.ts'
import { sessionEndOfRevokeReason } from './session-end.ts'

const OAUTH = '/api/blade-auth/oauth'
const authorization = basic('script', 'script_secret')

let server: TestServer
let tenantId: string
let skew = 0

beforeAll(async () => {
  server = await testServer({ now: () => new Date(Date.now() + skew) })
  const { services } = server
  const tenant = { tenantName: '街角便利', linkman: '李', contactNumber: '13800000000', address: '杭州' }
  tenantId = (
    await services.unit({ crossTenantReason: 'test' }, (db) =>
      createTenant(db, services, tenant, { password: 'secret' }),
    )
  ).tenantId
})
afterAll(() => server?.close())

const unit = <T>(work: Parameters<typeof server.services.unit<T>>[1]) => server.services.unit<T>({ tenantId }, work)
const requestToken = (query: Record<string, unknown>) =>
  server.call(undefined, 'POST', `${OAUTH}/token`, {
    query: { tenantId, scope: 'all', ...query },
    headers: { authorization, 'tenant-id': tenantId },
  })
const renew = (person: CastMember) => requestToken({ grant_type: 'refresh_token', refresh_token: person.refreshToken })
const info = (person: CastMember | undefined) => server.call(person, 'GET', `${OAUTH}/user-info`)
const ended = (answer: Answer) => [answer.status, answer.code, answer.data.ended]

let count = 0
async function createClerk(): Promise<CastMember> {
  const account = `clerk${++count}`
  await unit(async (db) => {
    const role = await db.one<{ id: string }>(
      sql`select id from sys_role where tenant_id = ${tenantId} order by id limit 1`,
    )
    await createUser(db, { account, name: account, password: account, roleIds: [role!.id] })
  })
  const { body } = await requestToken({ grant_type: 'password', username: account, password: md5Hex(account) })
  return { token: body.access_token, refreshToken: body.refresh_token, userId: body.user_id, tenantId, account }
}
const ends: [string, (who: CastMember) => Promise<unknown>][] = [
  ['elsewhere', (who) => server.call(who, 'GET', `${OAUTH}/logout`)],
  [
    'password',
    (who) => unit((db) => setPasswords({ db, services: server.services }, [{ userId: who.userId, hash: 'another' }])),
  ],
  [
    'administrator',
    (who) => unit((db) => endSessions(db, server.services, { userIds: [who.userId] }, 'ended by an administrator')),
  ],
  [
    'disabled',
    (who) =>
      unit(async (db) => {
        await db.run(sql`update sys_user set status = 2 where tenant_id = ${tenantId} and id = ${who.userId}`)
        publishPermissionsChanged(server.services, db, {})
      }),
  ],
]

test.each(ends)(
  'a session that is over says why (%s) to whoever holds its tokens, in calls and when it is ' +
    'to be renewed, and is a 401 to everybody',
  async (why, end) => {
    const who = await createClerk()
    expect((await info(who)).status).toBe(200)
    await end(who)
    expect(ended(await info(who))).toEqual([401, 401, why])
    expect(ended(await renew(who))).toEqual([401, 401, why])
  },
)

test('a refresh token that comes back later ends the session and says that it was used elsewhere', async () => {
  const who = await createClerk()
  expect((await renew(who)).status).toBe(200)
  skew += 60_000
  expect(ended(await renew(who))).toEqual([401, 401, 'reused'])
  expect(ended(await info(who))).toEqual([401, 401, 'reused'])
})

test(
  'tokens too old to be read have expired, invented ones are told no more than ' + 'that, and no token is told nothing',
  async () => {
    const who = await createClerk()
    skew += 40 * 86_400_000
    expect(ended(await info(who))).toEqual([401, 401, 'expired'])
    expect(ended(await renew(who))).toEqual([401, 401, 'expired'])
    expect(ended(await info({ ...who, token: 'ey.ey.ey' }))).toEqual([401, 401, 'expired'])
    expect((await info(undefined)).data).toEqual({ reason: 'not_signed_in' })
  },
)

test('who is out because the tenant is closed is told so', async () => {
  const who = await createClerk()
  const expire = (at: Date | null) =>
    server.services.unit({ crossTenantReason: 'test' }, (db) =>
      db.run(sql`update tenant set expire_time = ${at?.toISOString() ?? null} where tenant_id = ${tenantId}`),
    )
  await expire(new Date(Date.now() + skew - 1000))
  expect(ended(await renew(who))).toEqual([401, 401, 'tenant'])
  await expire(null)
})

test('whatever a session is ended with, its owner is told something', () => {
  expect(sessionEndOfRevokeReason('ended by oneself')).toBe('elsewhere')
  expect(sessionEndOfRevokeReason('something new')).toBe('over')
})
