import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** The account that every simulated engine accepts. */
export const speechAccount = {
  accessKey: 'simulated-key',
  secretKey: 'simulated-secret',
  appKey: 'simulated-app',
}

/** Texts at which an engine fails in the named way. */
export const troubleWords = { refused: '违禁词', busy: '系统繁忙', noAnswer: '没有应答', broken: '坏掉的声音' }

export type SpeechRequest = {
  path: string
  host: string
  headers: Record<string, string>
  body: string
  now: number
}
export type SpeechReply = { status?: number; type: string; body: Buffer | string }
export type Spoken = { engine: string; text: string; voice: string; speed: string }
type Say = (spoken: Omit<Spoken, 'engine'>) => Buffer
type Engine = (request: SpeechRequest, say: Say) => SpeechReply

const json = (status: number, body: object): SpeechReply => ({
  status,
  type: 'application/json',
  body: JSON.stringify(body),
})
const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

const tokens = new Map<string, number>()
const usedNonces = new Set<string>()
const SKEW_MS = 15 * 60_000

const oauth = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

/** Aliyun's CreateToken: issues a token for a request with a valid signature. */
export const aliyunToken: Engine = ({ body, now }) => {
  const fields = new URLSearchParams(body)
  const get = (name: string) => fields.get(name) ?? ''
  const fail = (status: number, Code: string, Message: string) =>
    json(status, { Code, Message, RequestId: crypto.randomUUID() })
  if (get('AccessKeyId') !== speechAccount.accessKey)
    return fail(404, 'InvalidAccessKeyId.NotFound', 'Specified access key is not found.')
  const canonical = [...fields]
    .filter(([name]) => name !== 'Signature')
    .map(([name, value]) => `${oauth(name)}=${oauth(value)}`)
    .toSorted()
    .join('&')
  const expected = createHmac('sha1', `${speechAccount.secretKey}&`)
    .update(`POST&%2F&${oauth(canonical)}`)
    .digest('base64')
  if (!isSame(get('Signature'), expected))
    return fail(400, 'SignatureDoesNotMatch', 'Specified signature is not matched with our calculation.')
  if (!(Math.abs(Date.parse(get('Timestamp')) - now) < SKEW_MS))
    return fail(400, 'InvalidTimeStamp.Expired', 'Specified time stamp or date value is expired.')
  if (usedNonces.has(get('SignatureNonce')))
    return fail(400, 'SignatureNonceUsed', 'Specified signature nonce was used already.')
  usedNonces.add(get('SignatureNonce'))
  if (get('Action') !== 'CreateToken' || get('Version') !== '2019-02-28')
    return fail(404, 'InvalidAction.NotFound', 'Specified api is not found.')
  const Id = crypto.randomUUID().replaceAll('-', '')
  const ExpireTime = Math.floor(now / 1000) + 3600
  tokens.set(Id, ExpireTime)
  return json(200, { NlsRequestId: crypto.randomUUID(), Token: { Id, ExpireTime, UserId: '1' } })
}

export const aliyun: Engine = ({ body, now }, say) => {
  const { appkey, token, text = '', voice = '', speech_rate, format, sample_rate } = JSON.parse(body)
  const fail = (status: number, code: number, message: string) =>
    json(status, { task_id: crypto.randomUUID(), result: '', status: code, message })
  if ((tokens.get(token) ?? 0) * 1000 < now)
    return fail(403, 40_000_001, "Gateway:ACCESS_DENIED:The token '***' is invalid!")
  if (appkey !== speechAccount.appKey) return fail(400, 40_020_105, 'Meta:APPKEY_NOT_EXIST:Appkey not exist!')
  if (format !== 'wav' || sample_rate !== 16_000) return fail(400, 40_000_003, 'PARAMETER_INVALID')
  if (Array.from(String(text)).length > 300) return fail(400, 41_020_001, 'TTS:TtsClientError:Text too long')
  if (text.includes(troubleWords.refused)) return fail(400, 40_000_000, 'Gateway:CLIENT_ERROR:forbidden words')
  if (text.includes(troubleWords.busy)) return fail(500, 50_000_000, 'Gateway:SERVER_ERROR')
  return { type: 'audio/mpeg', body: say({ text, voice, speed: String(speech_rate) }) }
}

/** Returns code and text of the error in a TC3 signature; undefined for a valid one. */
function tencentFault({ headers, body, host, now }: SpeechRequest): [string, string] | undefined {
  const form = new RegExp(
    String.raw`^TC3-HMAC-SHA256 Credential=(.+?)/(\d{4}-\d\d-\d\d)/tts/tc3_request, ` +
      String.raw`SignedHeaders=(\S+), Signature=([0-9a-f]{64})$`,
  )
  const match = form.exec(headers.authorization ?? '')
  if (!match) return ['AuthFailure.InvalidAuthorization', 'Authorization 头部格式不符合腾讯云标准']
  const [, id, date = '', signed = '', signature = ''] = match
  if (id !== speechAccount.accessKey) return ['AuthFailure.SecretIdNotFound', 'The SecretId is not found']
  const timestamp = Number(headers['x-tc-timestamp'])
  if (!(Math.abs(timestamp * 1000 - now) < 300_000)) return ['AuthFailure.SignatureExpire', '签名过期']
  const hex = (text: string) => createHash('sha256').update(text).digest('hex')
  const step = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const values: Record<string, string | undefined> = { ...headers, host }
  const lines = signed.split(';').map((name) => `${name}:${(values[name] ?? '').trim().toLowerCase()}\n`)
  const canonical = `POST\n/\n\n${lines.join('')}\n${signed}\n${hex(body)}`
  const toSign = `TC3-HMAC-SHA256\n${timestamp}\n${date}/tts/tc3_request\n${hex(canonical)}`
  const key = [date, 'tts', 'tc3_request'].reduce(step, Buffer.from(`TC3${speechAccount.secretKey}`))
  return isSame(signature, step(key, toSign).toString('hex'))
    ? undefined
    : ['AuthFailure.SignatureFailure', 'The provided credentials could not be validated.']
}

export const tencent: Engine = (request, say) => {
  const { headers, body } = request
  const RequestId = crypto.randomUUID()
  const fail = (Code: string, Message: string) => json(200, { Response: { Error: { Code, Message }, RequestId } })
  const fault = tencentFault(request)
  if (fault) return fail(...fault)
  if (headers['x-tc-action'] !== 'TextToVoice' || headers['x-tc-version'] !== '2019-08-23')
    return fail('InvalidAction', '接口不存在')
  const { Text, SessionId, VoiceType, Speed } = JSON.parse(body)
  if (!SessionId) return fail('MissingParameter', 'SessionId')
  if (Array.from(String(Text)).length > 150) return fail('UnsupportedOperation.TextTooLong', '文本过长')
  if (Text.includes(troubleWords.refused)) return fail('InvalidParameterValue.Text', 'Text 非法')
  if (Text.includes(troubleWords.busy)) return fail('InternalError.InternalError', '内部错误')
  const Audio = say({ text: Text, voice: String(VoiceType), speed: String(Speed) }).toString('base64')
  return json(200, { Response: { Audio, SessionId, RequestId, Subtitles: [] } })
}

export const azure: Engine = ({ headers, body }, say) => {
  const fail = (status: number, text: string): SpeechReply => ({ status, type: 'text/plain', body: text })
  if (headers['ocp-apim-subscription-key'] !== speechAccount.secretKey) return fail(401, 'Unauthorized')
  if (headers['x-microsoft-outputformat'] !== 'riff-16khz-16bit-mono-pcm') return fail(400, 'Unsupported output format')
  const form = /^<speak [^>]*><voice name="([^"]+)"><prosody rate="([^"]+)" [^>]*>(.*)<\/prosody><\/voice><\/speak>$/s
  const [, voice = '', speed = '', text = ''] = form.exec(body) ?? []
  if (!voice || /[<>]/.test(text)) return fail(400, 'SSML parsing error')
  if (text.includes(troubleWords.refused)) return fail(400, 'Bad text')
  if (text.includes(troubleWords.busy)) return fail(429, 'Too Many Requests')
  return { type: 'audio/x-wav', body: say({ text, voice, speed }) }
}
