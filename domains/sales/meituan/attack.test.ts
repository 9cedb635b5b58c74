import { afterAll, beforeAll, expect, test } from 'vitest'
import { flushLogs } from '#domains/platform/logs/api.ts'
import { sign } from './sign.ts'
import { waitForPlatformRateLimit } from '#domains/sales/delivery-platforms/api.ts'
import { sql, createOwnerPool } from '#kit/server/database/db.ts'
import type { CastMember } from '#tests/support/server.ts'
import { testWechat } from '#tests/support/wechat.ts'
import { startWechatPay } from '#simulators/wechatpay/wechatpay.simulator.ts'

const APP_SECRET = 'secret-of-the-north-7f3a91'
const PLATFORM_ORDER = '9100000000000000001'
let ground: Awaited<ReturnType<typeof testWechat>>
let villain: CastMember
let platform: CastMember
let apiNo: string
beforeAll(async () => {
  ground = await testWechat()
  const { tenants } = ground
  platform = await tenants.server.as('admin')
  villain = tenants.south.admin
  const body = { name: '美团', platform: 'meituan', appKey: '1001', appSecret: APP_SECRET, status: 1 }
  const { id } = await tenants.must(
    tenants.call(tenants.north.admin, 'POST', '/api/thirdparty/thirdApi/submit', { body }),
  )
  apiNo = id
}, 120_000)
afterAll(() => ground?.close())

const call = (
  person: CastMember,
  method: 'GET' | 'POST',
  path: string,
  ask: Parameters<typeof ground.tenants.call>[3] = {},
) => ground.tenants.call(person, method, path, ask)
const eventsOf = (tenantId: string) =>
  ground.tenants.services.unit({ tenantId }, (db) =>
    db.query<{ subject: string; kind: string }>(
      sql`select subject, kind from vendor_event where tenant_id = ${tenantId} order by id`,
    ),
  )
const secrets = () => {
  const { secretKey, apiv3Key } = ground.wechat.account
  return [APP_SECRET, apiv3Key, ...secretKey.split('\n').filter((line) => line.length > 40)]
}

test('keys stand nowhere in plain words: no table, no history, no log, no list, no file of any kind', async () => {
  const { tenants, accountNo } = ground
  const rename = { id: accountNo, tenantId: tenants.north.tenantId, name: '改了名' }
  await tenants.must(call(platform, 'POST', '/api/pay/payAccount/submit', { body: rename }))
  await tenants.must(
    call(tenants.north.admin, 'POST', '/api/thirdparty/thirdApi/submit', {
      body: { id: apiNo, appSecret: APP_SECRET },
    }),
  )
  await (await ground.pay()).maxRatio('1900000109')
  await flushLogs(tenants.services)
  const owner = createOwnerPool(tenants.server.databaseUrl)
  try {
    const { rows: tables } = await owner.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } = await owner.query<{ text: string }>(`select t::text as text from ${name} t`)
      for (const { text } of rows)
        if (secrets().some((one) => text.includes(one))) found.push(`${name}: ${text.slice(0, 200)}`)
    }
    expect(found).toEqual([])
  } finally {
    await owner.end()
  }
  for (const person of [platform, tenants.north.admin])
    for (const path of ['/api/pay/payAccount', '/api/thirdparty/thirdApi'])
      for (const what of ['list', 'detail']) {
        const query = what === 'detail' ? { id: path.includes('pay') ? accountNo : apiNo } : {}
        const text = JSON.stringify((await call(person, 'GET', `${path}/${what}`, { query })).body)
        for (const secret of secrets()) expect(text).not.toContain(secret)
      }
})

test('nobody reads a key, or what a platform said, by guessing with filters, orders or columns', async () => {
  const { tenants, wechat } = ground
  const url = `${tenants.server.url}${ground.notifyPath}`
  expect(
    await wechat.callbacks.push(url, 'REFUND.SUCCESS', { out_refund_no: 'GUESS-1', secret: 'name of a person' }),
  ).toBe(204)
  const resources = [
    ['/api/pay/payAccount/list', ['secretKey', 'apiv3Key', 'secret_key', 'apiv3_key']],
    ['/api/thirdparty/thirdApi/list', ['appSecret', 'app_secret']],
    ['/api/thirdparty/vendorEvent/list', ['body']],
  ] as const
  for (const [path, keys] of resources) {
    const plain = await call(tenants.north.admin, 'GET', path)
    expect(plain.status).toBe(200)
    const total = plain.data.total as number
    expect(total).toBeGreaterThan(0)
    for (const key of keys) {
      // A filter that worked would find all rows with one suffix and none with another.
      for (const suffix of [
        '',
        '_equal',
        '_like',
        '_likeleft',
        '_likeright',
        '_ge',
        '_gt',
        '_lt',
        '_notequal',
        '_null',
        '_notnull',
      ])
        for (const value of ['a', 'zzz', '1']) {
          const answer = await call(tenants.north.admin, 'GET', path, { query: { [`${key}${suffix}`]: value } })
          const found = answer.status < 500 && answer.status !== 200 ? total : answer.data.total
          expect([`${key}${suffix}`, found]).toEqual([`${key}${suffix}`, total])
        }
      for (const order of ['ascs', 'descs']) {
        const answer = await call(tenants.north.admin, 'GET', path, { query: { [order]: key } })
        expect(answer.status).toBeLessThan(500)
        expect(JSON.stringify(answer.body)).not.toContain('name of a person')
      }
    }
  }
})

test('a message for one tenant is not taken for another, whoever signed it', async () => {
  const { tenants, wechat } = ground
  const { south, north } = tenants
  // The attacker has its own account at the platform, so its messages have a valid signature.
  const own = await startWechatPay({ now: () => tenants.services.now() })
  try {
    const body = { tenantId: south.tenantId, name: '别家', ...own.account, notifyBase: tenants.server.url }
    const { id } = await tenants.must(call(platform, 'POST', '/api/pay/payAccount/submit', { body }))
    const theirs = `${tenants.server.url}/api/pay/wechat/notify/${south.tenantId}-${id}`
    const ours = `${tenants.server.url}${ground.notifyPath}`
    const plain = { out_refund_no: 'RF-NORTH', refund_status: 'SUCCESS' }
    const before = await eventsOf(north.tenantId)
    expect(await own.callbacks.push(ours, 'REFUND.SUCCESS', plain)).toBe(403)
    // Signed by our platform but encrypted with the attacker's key, so the attacker wrote it.
    const closed = own.world.merchant.apiv3Key
    const was = wechat.world.merchant.apiv3Key
    wechat.world.merchant.apiv3Key = closed
    expect(await wechat.callbacks.push(ours, 'REFUND.SUCCESS', plain)).toBe(403)
    wechat.world.merchant.apiv3Key = was
    expect(await wechat.callbacks.push(theirs, 'REFUND.SUCCESS', plain)).toBe(403)
    for (const malformed of [
      `${theirs}/..%2F${north.tenantId}`,
      ours.replace(/-\d+$/, `-${id}`),
      `${ours}%00`,
      ours.replace('-', '--'),
    ])
      expect(await own.callbacks.push(malformed, 'REFUND.SUCCESS', plain), malformed).toBeGreaterThanOrEqual(400)
    expect(await eventsOf(north.tenantId)).toEqual(before)
    expect(await own.callbacks.push(theirs, 'REFUND.SUCCESS', plain)).toBe(204)
    await tenants.server.jobs.runDue()
    expect(await eventsOf(south.tenantId)).toMatchObject([{ subject: 'RF-NORTH' }])
    expect(await eventsOf(north.tenantId)).toEqual(before)
  } finally {
    await own.close()
  }
})

test("a tenant that registers another's application hears nothing, says nothing and slows nothing", async () => {
  const { tenants } = ground
  const { south, north } = tenants
  const body = { name: '冒名', platform: 'meituan', appKey: '1001', appSecret: 'guessed', status: 1, perSecond: 1 }
  await tenants.must(call(villain, 'POST', '/api/thirdparty/thirdApi/submit', { body }))
  const event = `${tenants.services.config.publicUrl}/api/meituan/callback/orderPaid`
  const postCallback = (secret: string) => {
    const params = {
      app_id: '1001',
      app_poi_code: 'S-01',
      order_id: PLATFORM_ORDER,
      timestamp: String(Math.floor(tenants.services.now().getTime() / 1000)),
    }
    return fetch(`${tenants.server.url}/api/meituan/callback/orderPaid`, {
      method: 'POST',
      body: new URLSearchParams({ ...params, sig: sign(event, params, secret) }),
    })
  }
  const [ours, theirs] = [await eventsOf(north.tenantId), await eventsOf(south.tenantId)]
  expect((await postCallback('nobody knows')).status).toBe(403)
  expect((await postCallback('guessed')).status).toBe(200)
  expect([await eventsOf(north.tenantId), (await eventsOf(south.tenantId)).length]).toEqual([ours, theirs.length + 1])
  expect((await postCallback(APP_SECRET)).status).toBe(200)
  expect([(await eventsOf(north.tenantId)).length, (await eventsOf(south.tenantId)).length]).toEqual([
    ours.length + 1,
    theirs.length + 1,
  ])
  const counted: string[] = []
  const shared = Object.create(tenants.services.shared, {
    increment: { value: async (key: string) => counted.push(key.replace(/\/\d+$/, '')) && 1 },
  }) as typeof tenants.services.shared
  for (const { tenantId } of [north, south])
    await waitForPlatformRateLimit({ shared }, 'meituan', { tenantId, appNo: '1001', perSecond: 1 })
  expect(new Set(counted).size).toBe(2)
})
