import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The account, signatures and templates that every simulated provider accepts. */
export const smsAccount = {
  accessKey: 'simulated-key',
  secretKey: 'simulated-secret',
  appId: '1400000000',
  signs: ['邻里优选', 'sign-1'],
  templates: {
    SMS_1: { text: '您的验证码是${code}，五分钟内有效。', names: ['code'] },
    100001: { text: '您的验证码是${code}，五分钟内有效。', names: ['code'] },
    'template-1': { text: '您的验证码是${code}，五分钟内有效。', names: ['code'] },
    5000001: { text: '您的验证码是${code}，五分钟内有效。', names: ['code'] },
  } as Record<string, { text: string; names: string[] }>,
}

/** Phone numbers at which a provider fails in the named way. */
export const troublePhones = {
  limited: '13800000001',
  illegal: '13800000002',
  noMoney: '13800000003',
  noAnswer: '13800000004',
  broken: '13800000005',
}

export type SmsRequest = {
  method: string
  path: string
  host: string
  headers: Record<string, string>
  body: string
  now: number
}
export type SmsReply = { status?: number; body: object }
export type SentSms = { provider: string; phone: string; text: string; id: string }
type Deliver = (phone: string, text: string) => string
type Provider = (request: SmsRequest, deliver: Deliver) => SmsReply

type Trouble = 'limited' | 'illegal' | 'noMoney'
const troubleOf = (phone: string): Trouble | undefined =>
  (['limited', 'illegal', 'noMoney'] as const).find((kind) => troublePhones[kind] === phone) ??
  (/^1[3-9]\d{9}$/.test(phone) ? undefined : 'illegal')

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
const fill = (text: string, values: Record<string, string>) =>
  text.replace(/\$\{(\w+)\}/g, (whole, name) => values[name] ?? whole)

const usedNonces = new Set<string>()
const skewMs = 15 * 60_000

export const aliyun: Provider = ({ body, method, now }, deliver) => {
  const fields = new URLSearchParams(body)
  const get = (name: string) => fields.get(name) ?? ''
  const fail = (status: number, Code: string, Message: string): SmsReply => ({
    status,
    body: { Code, Message, RequestId: crypto.randomUUID() },
  })
  if (get('AccessKeyId') !== smsAccount.accessKey)
    return fail(404, 'InvalidAccessKeyId.NotFound', 'Specified access key is not found.')
  const oauthEncode = (text: string) =>
    encodeURIComponent(text)
      .replaceAll("'", '%27')
      .replaceAll('(', '%28')
      .replaceAll(')', '%29')
      .replaceAll('*', '%2A')
      .replaceAll('!', '%21')
  const canonical = [...fields]
    .filter(([name]) => name !== 'Signature')
    .map(([name, value]) => `${oauthEncode(name)}=${oauthEncode(value)}`)
    .toSorted()
    .join('&')
  const expected = createHmac('sha1', `${smsAccount.secretKey}&`)
    .update(`${method}&%2F&${oauthEncode(canonical)}`)
    .digest('base64')
  if (!isSame(get('Signature'), expected))
    return fail(400, 'SignatureDoesNotMatch', 'Specified signature is not matched with our calculation.')
  if (!(Math.abs(Date.parse(get('Timestamp')) - now) < skewMs))
    return fail(400, 'InvalidTimeStamp.Expired', 'Specified time stamp or date value is expired.')
  if (usedNonces.has(get('SignatureNonce')))
    return fail(400, 'SignatureNonceUsed', 'Specified signature nonce was used already.')
  usedNonces.add(get('SignatureNonce'))
  if (get('Action') !== 'SendSms' || get('Version') !== '2017-05-25')
    return fail(404, 'InvalidAction.NotFound', 'Specified api is not found.')

  // Rejected messages come with HTTP 200.
  const refuse = (Code: string, Message: string) => fail(200, Code, Message)
  if (!smsAccount.signs.includes(get('SignName'))) return refuse('isv.SMS_SIGNATURE_ILLEGAL', '短信签名不合法')
  const template = smsAccount.templates[get('TemplateCode')]
  if (!template) return refuse('isv.SMS_TEMPLATE_ILLEGAL', '短信模板不合法')
  const params = JSON.parse(get('TemplateParam') || '{}')
  if (template.names.some((name) => !(name in params))) return refuse('isv.TEMPLATE_MISSING_PARAMETERS', '模板缺少变量')
  for (const phone of get('PhoneNumbers').split(',')) {
    const trouble = troubleOf(phone)
    if (trouble === 'limited') return refuse('isv.BUSINESS_LIMIT_CONTROL', '触发分钟级流控Permits:1')
    if (trouble === 'illegal') return refuse('isv.MOBILE_NUMBER_ILLEGAL', `${phone}invalid mobile number`)
    if (trouble === 'noMoney') return refuse('isv.AMOUNT_NOT_ENOUGH', '账户余额不足')
  }
  const ids = get('PhoneNumbers')
    .split(',')
    .map((phone) => deliver(phone, `【${get('SignName')}】${fill(template.text, params)}`))
  return { body: { Code: 'OK', Message: 'OK', BizId: `${ids[0]}^0`, RequestId: crypto.randomUUID() } }
}

/** Returns code and text of the error in a TC3 signature; undefined for a valid one. */
function tencentFault({ headers, body, host, now }: SmsRequest): [string, string] | undefined {
  const form = new RegExp(
    String.raw`^TC3-HMAC-SHA256 Credential=(.+?)/(\d{4}-\d\d-\d\d)/sms/tc3_request, ` +
      String.raw`SignedHeaders=(\S+), Signature=([0-9a-f]{64})$`,
  )
  const match = form.exec(headers.authorization ?? '')
  if (!match) return ['AuthFailure.InvalidAuthorization', 'Authorization 头部格式不符合腾讯云标准']
  const [, id, date = '', signed = '', signature = ''] = match
  if (id !== smsAccount.accessKey) return ['AuthFailure.SecretIdNotFound', 'The SecretId is not found']
  const timestamp = Number(headers['x-tc-timestamp'])
  if (!(Math.abs(timestamp * 1000 - now) < 300_000)) return ['AuthFailure.SignatureExpire', '签名过期']

  const hex = (text: string) => createHash('sha256').update(text).digest('hex')
  const step = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const values: Record<string, string | undefined> = { ...headers, host }
  const lines = signed.split(';').map((name) => `${name}:${(values[name] ?? '').trim().toLowerCase()}\n`)
  const canonical = `POST\n/\n\n${lines.join('')}\n${signed}\n${hex(body)}`
  const toSign = `TC3-HMAC-SHA256\n${timestamp}\n${date}/sms/tc3_request\n${hex(canonical)}`
  const key = [date, 'sms', 'tc3_request'].reduce(step, Buffer.from(`TC3${smsAccount.secretKey}`))
  return isSame(signature, step(key, toSign).toString('hex'))
    ? undefined
    : ['AuthFailure.SignatureFailure', 'The provided credentials could not be validated.']
}

export const tencent: Provider = (request, deliver) => {
  const { headers, body } = request
  const fail = (Code: string, Message: string): SmsReply => ({
    body: { Response: { Error: { Code, Message }, RequestId: crypto.randomUUID() } },
  })
  const fault = tencentFault(request)
  if (fault) return fail(...fault)
  if (headers['x-tc-action'] !== 'SendSms' || headers['x-tc-version'] !== '2021-01-11')
    return fail('InvalidAction', '接口不存在')

  const { PhoneNumberSet, SmsSdkAppId, SignName, TemplateId, TemplateParamSet = [] } = JSON.parse(body)
  if (SmsSdkAppId !== smsAccount.appId)
    return fail('UnauthorizedOperation.SmsSdkAppIdVerifyFail', 'SmsSdkAppId 校验失败')
  const template = smsAccount.templates[TemplateId]
  const codes: Record<Trouble, [string, string]> = {
    limited: [
      'LimitExceeded.PhoneNumberThirtySecondLimit',
      'the number of SMS messages sent from a single mobile number within 30 seconds exceeds the upper limit',
    ],
    illegal: ['InvalidParameterValue.IncorrectPhoneNumber', 'incorrect phone number'],
    noMoney: ['FailedOperation.InsufficientBalanceInSmsPackage', 'insufficient balance in SMS package'],
  }
  const SendStatusSet = (PhoneNumberSet as string[]).map((full) => {
    const state = (Code: string, Message: string, SerialNo = '') => ({
      SerialNo,
      PhoneNumber: full,
      Fee: SerialNo ? 1 : 0,
      SessionContext: '',
      Code,
      Message,
      IsoCode: 'CN',
    })
    if (!smsAccount.signs.includes(SignName))
      return state('FailedOperation.SignatureIncorrectOrUnapproved', 'signature is incorrect or unapproved')
    if (!template || template.names.length !== TemplateParamSet.length)
      return state('FailedOperation.TemplateIncorrectOrUnapproved', 'template is incorrect or unapproved')
    const phone = full.replace(/^\+86/, '')
    const trouble = full.startsWith('+86') ? troubleOf(phone) : 'illegal'
    if (trouble) return state(...codes[trouble])
    const values = Object.fromEntries(template.names.map((name, i) => [name, TemplateParamSet[i]]))
    return state('Ok', 'send success', deliver(phone, `【${SignName}】${fill(template.text, values)}`))
  })
  return { body: { Response: { SendStatusSet, RequestId: crypto.randomUUID() } } }
}

export const qiniu: Provider = ({ method, path, host, headers, body }, deliver) => {
  const fail = (status: number, error: string, message: string): SmsReply => ({
    status,
    body: { error, message, request_id: crypto.randomUUID() },
  })
  const signed = `${method} ${path}\nHost: ${host}\nContent-Type: ${headers['content-type']}\n\n${body}`
  const expected = createHmac('sha1', smsAccount.secretKey).update(signed).digest('base64url')
  const [, key, signature = ''] = /^Qiniu ([^:]+):(.+)$/.exec(headers.authorization ?? '') ?? []
  if (key !== smsAccount.accessKey || !isSame(signature.replace(/(?<!=)=+$/, ''), expected))
    return fail(401, 'bad_token', 'bad token')
  if (path !== '/v1/message') return fail(404, 'not_found', 'not found')
  const { signature_id, template_id, mobiles, parameters } = JSON.parse(body)
  if (!smsAccount.signs.includes(signature_id)) return fail(400, 'invalid_signature_id', 'signature not found')
  const template = smsAccount.templates[template_id]
  if (!template) return fail(400, 'invalid_template_id', 'template not found')
  if (template.names.some((name) => !(name in parameters)))
    return fail(400, 'invalid_parameters', 'parameters do not fit the template')
  for (const phone of mobiles) {
    const trouble = troubleOf(phone)
    if (trouble === 'limited') return fail(429, 'too_many_requests', 'frequency limit')
    if (trouble === 'illegal') return fail(400, 'invalid_mobile', `invalid mobile ${phone}`)
    if (trouble === 'noMoney') return fail(402, 'insufficient_balance', 'insufficient balance')
  }
  const ids = (mobiles as string[]).map((phone) =>
    deliver(phone, `【${signature_id}】${fill(template.text, parameters)}`),
  )
  return { body: { job_id: ids[0] } }
}

export const yunpian: Provider = ({ path, body }, deliver) => {
  const [, kind = ''] = /^\/v2\/sms\/(\w+)\.json$/.exec(path) ?? []
  const fields = new URLSearchParams(body)
  const refuse = (code: number, msg: string, detail: string) => ({ http_status_code: 400, code, msg, detail })
  const fail = (...args: Parameters<typeof refuse>): SmsReply => ({ status: 400, body: refuse(...args) })
  if (fields.get('apikey') !== smsAccount.accessKey) return fail(-1, '非法的apikey', '无效apikey')
  const phones = (fields.get('mobile') ?? '').split(',')
  const isBatch = kind.endsWith('batch_send')
  if (!isBatch && phones.length > 1)
    return fail(2, '请求参数格式错误', '参数 mobile 格式不正确，单条发送只接受一个号码')

  let text = fields.get('text') ?? ''
  if (kind.startsWith('tpl_')) {
    const template = smsAccount.templates[fields.get('tpl_id') ?? '']
    if (!template) return fail(4, '模板不存在', '找不到该模板')
    const values = Object.fromEntries(
      [...new URLSearchParams(fields.get('tpl_value') ?? '')].map(([name, value]) => [name.replaceAll('#', ''), value]),
    )
    if (template.names.some((name) => !(name in values))) return fail(2, '请求参数格式错误', '参数 tpl_value 缺少变量')
    text = `【${smsAccount.signs[0]}】${fill(template.text, values)}`
  } else if (!smsAccount.signs.some((sign) => text.startsWith(`【${sign}】`))) {
    return fail(5, '未自动匹配到合适的模板', '签名未报备或未匹配到模板')
  }
  const entries = phones.map((mobile) => {
    const trouble = troubleOf(mobile)
    if (trouble === 'limited')
      return refuse(8, '同一手机号30秒内重复提交相同的内容', '请检查是否同一手机号30秒内重复提交')
    if (trouble === 'illegal') return refuse(2, '请求参数格式错误', '参数 mobile 格式不正确')
    if (trouble === 'noMoney') return refuse(3, '账户余额不足', '请充值')
    return { code: 0, msg: '发送成功', count: 1, fee: 0.05, unit: 'RMB', mobile, sid: deliver(mobile, text) }
  })
  if (isBatch) return { body: { total_count: entries.length, total_fee: '0.05', unit: 'RMB', data: entries } }
  return { status: entries[0]!.code === 0 ? 200 : 400, body: entries[0]! }
}
