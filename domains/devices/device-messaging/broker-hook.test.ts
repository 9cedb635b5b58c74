import { comparedAnswers } from '#tests/support/declared-answers.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { createTestTenants, type TestTenants } from '#tests/support/test-tenants.ts'
import { brokerHookSecretSlot } from './broker-hook.ts'

const SECRET = 'what the broker and the office have agreed on'
const clientId = 'GW-north-1'
const tenant = '100001'
let tenants: TestTenants
let secret: string

beforeAll(async () => {
  tenants = await createTestTenants()
  const { admin, shops } = tenants.north
  const body = { id: shops[0], clientId }
  await tenants.must(tenants.call(admin, 'POST', '/api/shop/basicShopInfo/submit', { body }))
  secret = await issue()
})
afterAll(() => tenants.close())

const issue = async () => {
  const { admin, shops } = tenants.north
  return (await tenants.call(admin, 'POST', '/api/shop/deviceLink/issue', { query: { id: shops[0] } })).data.secret
}
const callBrokerHook = (path: 'authn' | 'acl', body: object, authorization = `Bearer ${SECRET}`) =>
  tenants.call(undefined, 'POST', `/api/broker/${path}`, { body, headers: { authorization } })
/** The requests as docs/operations.md has EMQX send them. */
const authn = async (more: object = {}) =>
  (await callBrokerHook('authn', { clientid: clientId, username: clientId, password: secret, ...more })).body
const acl = async (action: string, topic: string, more: object = {}) =>
  (await callBrokerHook('acl', { clientid: clientId, username: clientId, tenant, topic, action, ...more })).body.result

it('is not there where no secret was agreed on', async () => {
  expect((await callBrokerHook('authn', {})).status).toBe(404)
})

describe('a broker that asks over HTTP', () => {
  beforeAll(() => tenants.services.slots.fill(brokerHookSecretSlot, SECRET))

  it('must know the secret', async () => {
    for (const wrong of ['', SECRET, `Bearer ${SECRET}x`, `Basic ${SECRET}`, 'Bearer ü'])
      for (const path of ['authn', 'acl'] as const)
        expect((await callBrokerHook(path, { clientid: clientId }, wrong)).status, wrong).toBe(401)
  })

  it('hears whose device it is, and of no topics but its own', async () => {
    const root = `ss/1/${tenant}/${clientId}`
    expect(await authn()).toEqual({
      result: 'allow',
      is_superuser: false,
      client_attrs: { tenant },
      acl: [
        { permission: 'allow', action: 'publish', topic: `${root}/up/#` },
        { permission: 'allow', action: 'subscribe', topic: `${root}/down/#` },
        { permission: 'deny', action: 'all', topic: '#' },
      ],
    })
  })

  it('is answered as the description of the interface says', async () => {
    expect(await acl('publish', `ss/1/${tenant}/${clientId}/up/hb`)).toBe('allow')
    expect(await authn({ password: 'wrong' })).toEqual({ result: 'deny' })
    const compared = comparedAnswers(tenants.server.http)
    expect(compared).toEqual(expect.arrayContaining(['POST /api/broker/authn', 'POST /api/broker/acl']))
  })

  it('is told to refuse a wrong secret, another name, and what says nothing', async () => {
    const wrongs = [{ password: 'wrong' }, { password: '' }, { username: 'GW-other' }, { clientid: 'GW-other' }]
    for (const wrong of [...wrongs, { clientid: '', username: '' }, { clientid: null }])
      expect(await authn(wrong)).toEqual({ result: 'deny' })
  })

  it('keeps when and why a device was refused, of those there are, and once in a while', async () => {
    const { admin, shops } = tenants.north
    const line = async () =>
      tenants.must(tenants.call(admin, 'GET', '/api/shop/deviceLink/detail', { query: { id: shops[0] } }))
    const refused = async (more: object) => {
      await tenants.services.unit({ tenantId: tenant }, (db) =>
        db.run(sql`update device_link set refused_time = null, refused_reason = null where tenant_id = ${tenant}
          and client_id = ${clientId}`),
      )
      await authn(more)
      const { refusedTime, refusedReason } = await line()
      return [refusedTime !== '', refusedReason]
    }
    expect(await refused({})).toEqual([false, ''])
    expect(await refused({ clientid: 'GW-other', username: 'GW-other' })).toEqual([false, ''])
    expect(await refused({ username: 'GW-other' })).toEqual([true, 'wrongName'])
    expect(await refused({ password: 'wrong' })).toEqual([true, 'wrongKey'])
    // Repeated failures update the row once within 30 seconds.
    await authn({ username: 'GW-other' })
    expect((await line()).refusedReason).toBe('wrongKey')
    await tenants.must(tenants.call(admin, 'POST', '/api/shop/deviceLink/revoke', { query: { id: shops[0] } }))
    expect(await refused({})).toEqual([true, 'noKey'])
    secret = await issue()
    expect(await refused({})).toEqual([false, ''])
    expect(JSON.stringify(await line())).not.toContain(secret)
  })

  it("allows each message by the same rules, and none of another device's or tenant's", async () => {
    const root = `ss/1/${tenant}/${clientId}`
    expect(await acl('publish', `${root}/up/hello`)).toBe('allow')
    expect(await acl('subscribe', `${root}/down/#`)).toBe('allow')
    const wrongs: [string, string, object?][] = [
      ['publish', `${root}/down/cmd`],
      ['subscribe', `${root}/up/#`],
      ['subscribe', '#'],
      ['subscribe', `ss/1/${tenant}/+/down/#`],
      ['publish', `ss/1/100002/${clientId}/up/hello`],
      ['publish', `ss/1/100002/${clientId}/up/hello`, { tenant: '100002' }],
      ['publish', `${root}/up/hello`, { tenant: '' }],
      ['publish', `${root}/up/hello`, { username: 'GW-other' }],
      ['all', `${root}/up/hello`],
      ['publish', '$CONTROL/x'],
    ]
    for (const [action, topic, more] of wrongs) expect(await acl(action, topic, more), topic).toBe('deny')
  })

  it('lets the secret before in for a day, and a revoked device neither in nor on', async () => {
    const before = secret
    secret = await issue()
    for (const password of [before, secret]) expect((await authn({ password })).result).toBe('allow')
    const { admin, shops } = tenants.north
    await tenants.must(tenants.call(admin, 'POST', '/api/shop/deviceLink/revoke', { query: { id: shops[0] } }))
    expect(await authn()).toEqual({ result: 'deny' })
    expect(await acl('publish', `ss/1/${tenant}/${clientId}/up/hello`)).toBe('deny')
  })
})
