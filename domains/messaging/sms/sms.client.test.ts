import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aliyunSignature, tencentAuthorization } from '#kit/server/request/cloud-signatures.ts'
import { smsAccount, startSmsSimulator, troublePhones, type SmsSimulator } from '#simulators/sms/sms.simulator.ts'
import { signQiniuRequest } from './sms-qiniu.client.ts'
import { sendSms, type SmsProviderAccount, type SmsMessage } from './sms.client.ts'

let simulator: SmsSimulator
beforeAll(async () => {
  simulator = await startSmsSimulator()
})
afterAll(() => simulator.close())

describe('signatures equal the known ones', () => {
  it('of Aliyun', () => {
    expect(
      aliyunSignature(
        {
          AccessKeyId: 'testId',
          Action: 'SendSms',
          Version: '2017-05-25',
          Format: 'JSON',
          RegionId: 'cn-hangzhou',
          SignatureMethod: 'HMAC-SHA1',
          SignatureVersion: '1.0',
          SignatureNonce: 'n-1',
          Timestamp: '2024-01-02T03:04:05Z',
          PhoneNumbers: '13800000000',
          SignName: '示例',
          TemplateCode: 'SMS_1',
          TemplateParam: '{"code":"1234"}',
        },
        'testSecret',
      ),
    ).toBe('hZIW8NffrNsq+yb+l/AyfPCegHM=')
  })

  it('of Tencent Cloud', () => {
    const body =
      '{"PhoneNumberSet":["+8613800000000"],"SmsSdkAppId":"1400000000","SignName":"示例",' +
      '"TemplateId":"100001","TemplateParamSet":["1234"]}'
    const host = 'sms.tencentcloudapi.com'
    expect(
      tencentAuthorization({
        service: 'sms',
        host,
        body,
        timestamp: 1704164645,
        accessKey: 'id',
        secretKey: 'testSecret',
      }),
    ).toBe(
      'TC3-HMAC-SHA256 Credential=id/2024-01-02/sms/tc3_request, SignedHeaders=content-type;host, ' +
        'Signature=97f3c2b58ea815e3898ab3f254b9157701f9b214067fa10ddc8b546dc680789f',
    )
  })

  it('of Qiniu', () => {
    const body = '{"signature_id":"s1","template_id":"t1","mobiles":["13800000000"],"parameters":{"code":"1234"}}'
    const signed = { host: 'sms.qiniuapi.com', path: '/v1/message', body, accessKey: 'ak', secretKey: 'testSK' }
    expect(signQiniuRequest(signed)).toBe('Qiniu ak:MgY431WUCkSeoGLxfQWjtjFLMd4=')
  })
})

const text = '您的验证码是9 4*~，五分钟内有效。'
const params = { code: '9 4*~' }

describe.each<
  [
    string,
    SmsProviderAccount['category'],
    string,
    string,
    Record<keyof typeof troublePhones | 'sign' | 'template' | 'params' | 'key', string>,
  ]
>([
  [
    'Yunpian by text',
    1,
    '您的验证码是${code}，五分钟内有效。',
    '邻里优选',
    {
      limited: '8',
      illegal: '2',
      noMoney: '3',
      noAnswer: 'no_answer',
      broken: 'no_answer',
      sign: '5',
      template: '4',
      params: 'OK',
      key: '-1',
    },
  ],
  [
    'Yunpian by template',
    1,
    '5000001',
    '邻里优选',
    {
      limited: '8',
      illegal: '2',
      noMoney: '3',
      noAnswer: 'no_answer',
      broken: 'no_answer',
      sign: 'OK',
      template: '4',
      params: '2',
      key: '-1',
    },
  ],
  [
    'Qiniu',
    2,
    'template-1',
    'sign-1',
    {
      limited: 'too_many_requests',
      illegal: 'invalid_mobile',
      noMoney: 'insufficient_balance',
      noAnswer: 'no_answer',
      broken: 'no_answer',
      sign: 'invalid_signature_id',
      template: 'invalid_template_id',
      params: 'invalid_parameters',
      key: 'bad_token',
    },
  ],
  [
    'Aliyun',
    3,
    'SMS_1',
    '邻里优选',
    {
      limited: 'isv.BUSINESS_LIMIT_CONTROL',
      illegal: 'isv.MOBILE_NUMBER_ILLEGAL',
      noMoney: 'isv.AMOUNT_NOT_ENOUGH',
      noAnswer: 'no_answer',
      broken: 'no_answer',
      sign: 'isv.SMS_SIGNATURE_ILLEGAL',
      template: 'isv.SMS_TEMPLATE_ILLEGAL',
      params: 'isv.TEMPLATE_MISSING_PARAMETERS',
      key: 'SignatureDoesNotMatch',
    },
  ],
  [
    'Tencent Cloud',
    4,
    '100001',
    '邻里优选',
    {
      limited: 'LimitExceeded.PhoneNumberThirtySecondLimit',
      illegal: 'InvalidParameterValue.IncorrectPhoneNumber',
      noMoney: 'FailedOperation.InsufficientBalanceInSmsPackage',
      noAnswer: 'no_answer',
      broken: 'no_answer',
      sign: 'FailedOperation.SignatureIncorrectOrUnapproved',
      template: 'FailedOperation.TemplateIncorrectOrUnapproved',
      params: 'FailedOperation.TemplateIncorrectOrUnapproved',
      key: 'AuthFailure.SignatureFailure',
    },
  ],
])('%s', (_name, category, templateId, signName, codes) => {
  const config = (): SmsProviderAccount => ({ ...smsAccount, category, endpoint: simulator.url, mayBeInside: true })
  const send = (message: Partial<SmsMessage> = {}, changes: Partial<SmsProviderAccount> = {}) =>
    sendSms({ ...config(), ...changes }, { phones: ['13912345678'], templateId, params, signName, ...message }, 200)

  it('delivers the text to one phone and to several', async () => {
    const before = simulator.outbox.length
    expect(await send()).toMatchObject({ success: true, bizId: expect.stringMatching(/\d/) })
    expect(await send({ phones: ['13912345678', ' 13712345678', '13712345678', ''] })).toMatchObject({ success: true })
    const arrived = simulator.outbox.slice(before)
    expect(arrived.map(({ phone }) => phone)).toEqual(['13912345678', '13912345678', '13712345678'])
    for (const message of arrived) expect(message.text).toBe(`【${signName}】${text}`)
  })

  it.each(Object.entries(troublePhones))(
    'hands on what the provider says to a phone that is %s',
    async (kind, phone) => {
      const before = simulator.outbox.length
      const answer = await send({ phones: [phone] })
      expect(answer).toMatchObject({ success: false, code: codes[kind as keyof typeof troublePhones] })
      expect(answer.msg).not.toBe('')
      expect(simulator.outbox.length).toBe(before)
    },
  )

  it('is refused with a wrong key, signature, template or missing parameter', async () => {
    const wrongKey = category === 1 ? { accessKey: 'wrong' } : { secretKey: 'wrong' }
    expect(await send({}, wrongKey)).toMatchObject({ success: false, code: codes.key })
    expect((await send({ signName: '没有报备' })).code).toBe(codes.sign)
    expect((await send({ templateId: '404' })).code).toBe(codes.template)
    expect((await send({ params: {} })).code).toBe(codes.params)
  })
})

describe('many phones', () => {
  it('go in parts no larger than the provider takes', async () => {
    const before = simulator.outbox.length
    const phones = Array.from({ length: 250 }, (_, i) => String(13_900_000_000 + i))
    const message = { phones, templateId: '100001', params, signName: '邻里优选' }
    const answer = await sendSms({ ...smsAccount, category: 4, endpoint: simulator.url, mayBeInside: true }, message)
    expect(answer.success).toBe(true)
    expect(simulator.outbox.length - before).toBe(250)
  })

  it('none at all is refused without a call', async () => {
    const message = { phones: [' ', ''], templateId: 'x', params: {}, signName: 'x' }
    expect(await sendSms({ ...smsAccount, category: 3, endpoint: 'http://127.0.0.1:9' }, message)).toMatchObject({
      success: false,
      code: 'no_phones',
    })
  })
})

describe('the simulator', () => {
  it('does not deliver a request without a signature, and shows what it delivered', async () => {
    const before = simulator.outbox.length
    const answer = await fetch(simulator.url, {
      method: 'POST',
      body: new URLSearchParams({ Action: 'SendSms', PhoneNumbers: '13912345678' }),
    })
    expect(answer.status).toBe(404)
    expect(simulator.outbox.length).toBe(before)
    const shown = (await (await fetch(`${simulator.url}/outbox`)).json()) as unknown[]
    expect(shown).toEqual(simulator.outbox)
    expect(await (await fetch(simulator.url)).text()).toContain('验证码')
  })
})

it('an endpoint of a tenant’s own is not called inside, and what the socket said is told to nobody', async () => {
  const before = simulator.outbox.length
  const message = { phones: ['13900000000'], templateId: 'x', params: {}, signName: 'x' }
  const answers = await Promise.all(
    [{}, { mayBeInside: true, endpoint: 'http://127.0.0.1:9' }].map((more) =>
      sendSms({ ...smsAccount, category: 3, endpoint: simulator.url, ...more }, message),
    ),
  )
  for (const { msg, ...answer } of answers) {
    expect(answer).toEqual({ success: false, code: 'no_answer', bizId: '' })
    expect(msg).toContain('cannot be reached')
    expect(msg).not.toMatch(/127|ECONN|inside/)
  }
  expect(simulator.outbox.length).toBe(before)
})
