import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { smsAccount, startSmsSimulator, troublePhones, type SmsSimulator } from '#simulators/sms/sms.simulator.ts'
import { testServer, type TestServer } from '#tests/support/server.ts'
import { createTestWorld, type TestCaller, type TestWorld } from '#tests/support/world.ts'
import { createSmsBatch, smsTemplateParamNames, parseSmsParams, sendSmsBatch } from './sms-send.ts'

let server: TestServer
let world: TestWorld
let simulator: SmsSimulator
let platform: TestCaller
let boss: TestCaller

const base = '/api/blade-resource/sms'

beforeAll(async () => {
  simulator = await startSmsSimulator()
  server = await testServer()
  world = createTestWorld(server)
  platform = world.be({ tenantId: '000000', isPlatform: true, isAdmin: true })
  boss = world.be({ tenantId: '990001', permissions: new Set(['sms', 'smsrecord']) })
})
afterAll(async () => {
  await server?.close()
  await simulator?.close()
})

let n = 0
async function account(more: Record<string, unknown> = {}): Promise<{ id: string; smsCode: string }> {
  const smsCode = `code${++n}`
  const answer = await world.ask(platform, 'POST', `${base}/submit`, {
    body: {
      category: 1,
      smsCode,
      templateId: '您的验证码是#code#，五分钟内有效。',
      accessKey: smsAccount.accessKey,
      secretKey: smsAccount.secretKey,
      signName: '邻里优选',
      endpoint: simulator.url,
      ...more,
    },
  })
  expect(answer.body).toMatchObject({ code: 200 })
  return { id: answer.data.id as string, smsCode }
}
let phones = 13_700_000_000
const newPhone = () => String(++phones)
const sendSms = (query: Record<string, unknown>, who = platform) =>
  world.ask(who, 'POST', `${base}/endpoint/send-message`, { query })
const records = async (batchId: string) =>
  (await world.ask(platform, 'GET', `${base}/record/list`, { query: { batchId } })).data.records as Record<
    string,
    any
  >[]

describe('a message', () => {
  test('goes out by the named configuration, and its record says what the provider said', async () => {
    const { smsCode } = await account()
    const phone = newPhone()
    const answer = await sendSms({ code: smsCode, phones: phone, params: "{'code':'4821'}" })
    expect(answer.body).toMatchObject({ code: 200, data: { success: true } })
    expect(simulator.outbox.find((one) => one.phone === phone)?.text).toContain('4821')
    const [row] = await records(answer.data.id)
    expect(row).toMatchObject({ state: 'sent', attempts: 1, phone: `${phone.slice(0, 3)}****${phone.slice(-4)}` })
    expect(JSON.stringify(row)).not.toContain('4821')
    const { rows } = await server.services.systemPool.query('select params from sms_record where id = $1', [row!.id])
    expect(rows[0].params).toBeNull()
  })

  test('goes out by the enabled configuration when none is named', async () => {
    expect((await sendSms({ phones: newPhone(), params: '{"code":"1"}' })).data.reason).toBe('sms_not_configured')
    const { id } = await account()
    expect((await world.ask(platform, 'GET', `${base}/enable`, { query: { id } })).code).toBe(200)
    expect((await sendSms({ phones: newPhone(), params: '{"code":"1"}' })).data).toMatchObject({ success: true })
  })

  test('the provider refuses is answered as refused and recorded as failed', async () => {
    const { smsCode } = await account()
    const answer = await sendSms({ code: smsCode, phones: troublePhones.noMoney, params: '{"code":"1"}' })
    expect(answer.body).toMatchObject({ code: 400, success: false, data: { reason: 'sms_refused', success: false } })
    expect(await records(answer.data.id)).toMatchObject([{ state: 'failed' }])
  })

  test('without an answer waits for the job, which tries a few times and then gives up', async () => {
    const { smsCode } = await account()
    const batchId = await server.services.unit({ tenantId: '000000' }, (db) =>
      createSmsBatch(db, server.services, { code: smsCode, phones: troublePhones.broken, params: { code: '1' } }),
    )
    expect(await sendSmsBatch(server.services, '000000', batchId)).toMatchObject({ code: 'no_answer' })
    expect(await records(batchId)).toMatchObject([{ state: 'asked', attempts: 1 }])
    await sendSmsBatch(server.services, '000000', batchId)
    await sendSmsBatch(server.services, '000000', batchId)
    expect(await records(batchId)).toMatchObject([{ state: 'failed', attempts: 3, providerCode: 'no_answer' }])
    expect(await sendSmsBatch(server.services, '000000', batchId)).toBeUndefined()
  })

  test('asked by a process that died is sent by the job, once, however many look', async () => {
    const { smsCode } = await account()
    const phone = newPhone()
    const batchId = await server.services.unit({ tenantId: '000000' }, (db) =>
      createSmsBatch(db, server.services, { code: smsCode, phones: phone, params: { code: '77' } }),
    )
    const { rows } = await server.services.systemPool.query(
      `select state from job where queue = 'sms.send' and dedupe_key = $1`,
      [batchId],
    )
    expect(rows).toEqual([{ state: 'asked' }])
    await Promise.all([1, 2, 3, 4].map(() => sendSmsBatch(server.services, '000000', batchId)))
    expect(simulator.outbox.filter((one) => one.phone === phone)).toHaveLength(1)
  })

  test('is not sent when the change that asked for it was rolled back', async () => {
    const { smsCode } = await account()
    const phone = newPhone()
    await expect(
      server.services.unit({ tenantId: '000000' }, async (db) => {
        await createSmsBatch(db, server.services, { code: smsCode, phones: phone, params: { code: '1' } })
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect((await server.services.systemPool.query('select 1 from sms_record where phone = $1', [phone])).rows).toEqual(
      [],
    )
  })

  test('needs valid phones, the template’s parameters and the permission', async () => {
    const { smsCode } = await account()
    expect((await sendSms({ code: smsCode, phones: '12345', params: '{"code":"1"}' })).data.reason).toBe('sms_phone')
    expect((await sendSms({ code: smsCode, phones: newPhone() })).body).toMatchObject({
      data: { reason: 'sms_param_missing' },
      msg: '短信模板缺少参数 code',
    })
    expect((await sendSms({ code: smsCode, phones: newPhone(), params: '[1]' })).data.reason).toBe('sms_params')
    expect((await sendSms({ code: smsCode, params: '{"code":"1"}' })).data.fields).toHaveProperty('phones')
    expect((await sendSms({ code: 'nowhere', phones: newPhone(), params: '{"code":"1"}' })).code).toBe(404)
    expect((await sendSms({ code: smsCode, phones: newPhone(), params: '{"code":"1"}' }, boss)).code).toBe(404)
    expect((await sendSms({ code: smsCode, phones: newPhone() }, world.be({ tenantId: '000000' }))).code).toBe(403)
  })

  test('cannot be sent to one phone without end', async () => {
    const { smsCode } = await account()
    const phone = newPhone()
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => sendSms({ code: smsCode, phones: phone, params: '{"code":"1"}' })),
    )
    expect(answers.filter((one) => one.code === 200)).toHaveLength(10)
    expect(answers.filter((one) => one.data.reason === 'sms_too_often')).toHaveLength(2)
  })
})

describe('template parameters', () => {
  test('are read from JSON with either quotes and refused as anything else', () => {
    expect(parseSmsParams(`{'code':'12', "n": 3}`)).toEqual({ code: '12', n: '3' })
    expect(parseSmsParams(null)).toEqual({})
    for (const wrong of ['x', '[]', '{"a":{}}', '1', '{']) expect(() => parseSmsParams(wrong)).toThrow()
  })

  test('are those a template text names', () => {
    expect(smsTemplateParamNames('#code#，${minutes}分钟')).toEqual(['code', 'minutes'])
    expect(smsTemplateParamNames('SMS_123')).toEqual([])
  })
})
