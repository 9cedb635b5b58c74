import { comparedAnswers } from '#tests/support/declared-answers.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { sql } from '#kit/server/database/db.ts'
import { testWechat } from '#tests/support/wechat.ts'

let ground: Awaited<ReturnType<typeof testWechat>>
let url: string
beforeAll(async () => {
  ground = await testWechat()
  url = `${ground.tenants.server.url}${ground.notifyPath}`
})
beforeEach(() => void (ground.wechat.callbacks.mood = 'well'))
afterAll(() => ground.close())

const kept = (subject: string) =>
  ground.tenants.services.unit({ tenantId: ground.tenants.north.tenantId }, (db) =>
    db.query<{ kind: string; times: number; body: string }>(
      sql`select kind, times, body from vendor_event where tenant_id = ${db.tenantId} and subject = ${subject}
        order by id`,
    ),
  )
const push = (subject: string, seal?: Parameters<typeof ground.wechat.callbacks.push>[3], to = url) =>
  ground.wechat.callbacks.push(to, 'REFUND.SUCCESS', { out_refund_no: subject, refund_status: 'SUCCESS' }, seal)

test('what WeChat Pay says is opened and kept before it is acknowledged', async () => {
  expect(await push('N1')).toBe(204)
  expect(comparedAnswers(ground.tenants.server.http)).toContain('POST /api/pay/wechat/notify/:account')
  expect(await kept('N1')).toMatchObject([{ kind: 'REFUND.SUCCESS', body: expect.stringContaining('"N1"') }])
})

test('said twice it is one message that came twice', async () => {
  const { world, callbacks } = ground.wechat
  callbacks.mood = 'twice'
  world.notify('REFUND.SUCCESS', 'refund', { out_refund_no: 'N2' }, url)
  await Promise.all(callbacks.underWay)
  expect(callbacks.answers.slice(-2)).toEqual([204, 204])
  expect(await kept('N2')).toMatchObject([{ times: 2 }])
})

test('a probe, a forged, an old or a changed message is refused and leaves nothing', async () => {
  const { world } = ground.wechat
  expect(await push('N3', { signature: 'WECHATPAY/SIGNTEST/AAAA' })).toBe(403)
  expect(await push('N3', { privateKey: world.certificate.privateKey })).toBe(403)
  expect(await push('N3', { at: world.now() - 301_000 })).toBe(403)
  expect(await push('N3', { serialNo: 'PUB_KEY_ID_9999999999' })).toBe(403)
  expect(await push('N3', { body: '{"id":"EV-1","event_type":"REFUND.SUCCESS","resource":{}}' })).toBe(403)
  expect(await push('N3', undefined, `${url}9`)).toBe(403)
  expect(await push('N3', undefined, url.replace(ground.tenants.north.tenantId, ground.tenants.south.tenantId))).toBe(
    403,
  )
  expect(await kept('N3')).toEqual([])
})

test('one that WeChat Pay signs with a platform certificate is believed too, whose key is loaded from it', async () => {
  const { certificate } = ground.wechat.world
  expect(await push('N4', { serialNo: certificate.serialNo })).toBe(204)
  expect(await kept('N4')).toHaveLength(1)
})

test('an account of before the public key works with certificates alone', async () => {
  const old = await testWechat({ isByCertificate: true })
  try {
    const pay = await old.pay()
    expect(await pay.maxRatio('1900000109')).toBe(3000)
    expect(await old.wechat.callbacks.push(`${old.tenants.server.url}${old.notifyPath}`, 'REFUND.CLOSED', {})).toBe(204)
  } finally {
    await old.close()
  }
})

test('keys never come back from an account, and keys nobody could use are refused at their field', async () => {
  const { tenants, wechat, accountNo } = ground
  const detail = await tenants.call(tenants.north.admin, 'GET', '/api/pay/payAccount/detail', {
    query: { id: accountNo },
  })
  expect(detail.data).toMatchObject({ notifyUrl: url, spMchid: '1900000001' })
  const { rows } = await tenants.services.systemPool.query('select secret_key, apiv3_key from pay_account')
  for (const text of [JSON.stringify(detail.body), JSON.stringify(rows)])
    for (const secret of ['PRIVATE KEY', wechat.account.apiv3Key]) expect(text).not.toContain(secret)
  const submit = (body: object) => tenants.call(tenants.north.admin, 'POST', '/api/pay/payAccount/submit', { body })
  const draft = { ...wechat.account, endpoint: '', name: '另一个' }
  expect((await submit({ ...draft, secretKey: 'no key at all' })).data).toMatchObject({
    fields: { secretKey: expect.stringContaining('PEM') },
  })
  expect((await submit({ ...draft, apiv3Key: 'too short' })).data.fields).toHaveProperty('apiv3Key')
  expect((await submit({ ...draft, publicKeyPem: '' })).data.fields).toHaveProperty('publicKeyPem')
  expect((await submit({ ...draft, endpoint: wechat.url })).status).toBe(400)
})
