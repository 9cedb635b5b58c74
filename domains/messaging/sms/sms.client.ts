import { classifyExternalFailure } from '#kit/server/request/egress.ts'
import { sendSmsByAliyun } from './sms-aliyun.client.ts'
import { sendSmsByQiniu } from './sms-qiniu.client.ts'
import { sendSmsByTencent } from './sms-tencent.client.ts'
import { sendSmsByYunpian } from './sms-yunpian.client.ts'

/** An account at a provider, from a row of the SMS resource. */
export type SmsProviderAccount = {
  /** Dictionary `sms`: 1 Yunpian, 2 Qiniu, 3 Aliyun, 4 Tencent Cloud. */
  category: 1 | 2 | 3 | 4
  accessKey: string
  secretKey: string
  /** Aliyun: the region. Tencent Cloud: the application number (SmsSdkAppId) when `appId` is empty. */
  regionId?: string
  appId?: string
  /** Overrides the provider's address, for a proxy or a simulator. */
  endpoint?: string
  /** True when the endpoint may be in a private network: it was set by somebody who is allowed that. */
  mayBeInside?: boolean
}

export type SmsMessage = {
  phones: string[]
  /** The provider's template number. Yunpian also takes the text itself, with ${name} or #name# in it. */
  templateId: string
  /** In the order of the template: Tencent Cloud's parameters have no names. */
  params: Record<string, string>
  /** The signature's text; for Qiniu its id. */
  signName: string
}

export type SmsSendResult = {
  success: boolean
  /** The provider's own code; `no_answer` when it is unknown whether the message went out. */
  code: string
  msg: string
  bizId: string
}

export type SmsSender = (config: SmsProviderAccount, message: SmsMessage, timeoutMs: number) => Promise<SmsSendResult>

const timeoutMsDefault = 10_000
const providers: Record<SmsProviderAccount['category'], { send: SmsSender; phonesMax: number }> = {
  1: { send: sendSmsByYunpian, phonesMax: 1_000 },
  2: { send: sendSmsByQiniu, phonesMax: 100 },
  3: { send: sendSmsByAliyun, phonesMax: 1_000 },
  4: { send: sendSmsByTencent, phonesMax: 200 },
}

/**
 * Sends one message to any number of phones, in parts of what the provider takes at once. Stops at the first part that
 * fails. Never throws.
 */
export async function sendSms(
  config: SmsProviderAccount,
  message: SmsMessage,
  timeoutMs = timeoutMsDefault,
): Promise<SmsSendResult> {
  const { send, phonesMax } = providers[config.category]
  const phones = [...new Set(message.phones.map((phone) => phone.trim()).filter(Boolean))]
  if (phones.length === 0) return { success: false, code: 'no_phones', msg: 'No phone number', bizId: '' }
  const bizIds: string[] = []
  for (let start = 0; start < phones.length; start += phonesMax) {
    const part = { ...message, phones: phones.slice(start, start + phonesMax) }
    const answer = await send(config, part, timeoutMs).catch(noAnswer)
    bizIds.push(answer.bizId)
    if (!answer.success) return { ...answer, bizId: bizIds.filter(Boolean).join(',') }
  }
  return { success: true, code: 'OK', msg: 'OK', bizId: bizIds.join(',') }
}

/**
 * Result of a request that failed without an answer. Leaves out the socket error: tenants read this, and it would name
 * internal hosts.
 */
const noAnswer = (err: Error): SmsSendResult => ({
  success: false,
  code: 'no_answer',
  msg:
    classifyExternalFailure(err) === 'timeout'
      ? '服务商未及时应答 / The provider did not answer in time'
      : '无法连接服务商 / The provider cannot be reached',
  bizId: '',
})
