import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { isSignedBy } from './keys.ts'
import { refuse, type WechatSimRequest, type World } from './world.ts'

const SKEW_S = 300
const BYTES_MAX = 8 * 1024 * 1024

type Form = { meta: string; file: NonNullable<WechatSimRequest['file']> }

/** Reads the two parts of a multipart upload. */
function readForm(bytes: Buffer, contentType: string): Form {
  const boundary = /boundary=([\w'()+,./:=? -]{1,70})/.exec(contentType)?.[1] ?? ''
  const edge = Buffer.from(`--${boundary}`)
  const parts: { head: string; body: Buffer }[] = []
  let at = bytes.indexOf(edge)
  while (at >= 0) {
    const next = bytes.indexOf(edge, at + edge.length)
    if (next < 0) break
    const part = bytes.subarray(at + edge.length + 2, next - 2)
    const cut = part.indexOf('\r\n\r\n')
    parts.push({ head: part.subarray(0, cut).toString('utf8'), body: part.subarray(cut + 4) })
    at = next
  }
  const [meta, file] = ['meta', 'file'].map((name) => parts.find(({ head }) => head.includes(`name="${name}"`)))
  if (!boundary || !meta || !file) return refuse(400, 'PARAM_ERROR', '缺少 meta 或 file', '268435461')
  const text = meta.body.toString('utf8')
  const name = /filename="([^"]{1,200})"/.exec(file.head)?.[1] ?? ''
  return { meta: text, file: { name, bytes: file.body, meta: JSON.parse(text) as object } }
}

const jsonOf = (text: string): Record<string, any> => {
  try {
    return text ? (JSON.parse(text) as Record<string, any>) : {}
  } catch {
    return refuse(400, 'PARAM_ERROR', '请求体不是 JSON', '268435461')
  }
}

/** Verifies the request's signature over the received bytes; refuses with 401. */
function requireSigned({ merchant, now }: World, request: IncomingMessage, body: string): void {
  const header = request.headers.authorization ?? ''
  const no = (why: string) => refuse(401, 'SIGN_ERROR', why, '268443699')
  if (!header.startsWith('WECHATPAY2-SHA256-RSA2048 ')) no('Http头缺少Authorization')
  const given = Object.fromEntries(
    [...header.matchAll(/\b(\w{1,20})="([^"]{0,700})"/g)].map(([, key, value]) => [key, value]),
  )
  if (given.mchid !== merchant.mchid) no('商户号不存在')
  if (given.serial_no !== merchant.serialNo) no('商户证书序列号有误')
  if (!(Math.abs(now() / 1000 - Number(given.timestamp)) <= SKEW_S)) no('时间戳已过期')
  if (!given.nonce_str || given.nonce_str.length > 32) no('随机串错误')
  const text = `${request.method}\n${request.url}\n${given.timestamp}\n${given.nonce_str}\n${body}\n`
  if (!isSignedBy(text, given.signature ?? '', merchant.publicKey)) no('错误的签名，验签失败')
  if (request.headers.accept !== 'application/json' || !request.headers['user-agent'])
    refuse(400, 'PARAM_ERROR', '缺少 Accept 或 User-Agent', '268435461')
}

/** Reads and verifies a request. */
export async function receive(world: World, request: IncomingMessage): Promise<WechatSimRequest> {
  const bytes = await buffer(request)
  if (bytes.length > BYTES_MAX) refuse(400, 'PARAM_ERROR', '请求体过大', '268435461')
  const { pathname, searchParams } = new URL(request.url!, 'http://localhost')
  const contentType = request.headers['content-type'] ?? ''
  const form = contentType.startsWith('multipart/form-data') ? readForm(bytes, contentType) : undefined
  const text = form ? '' : bytes.toString('utf8')
  requireSigned(world, request, form?.meta ?? text)
  return {
    method: request.method!,
    path: pathname,
    query: searchParams,
    params: [],
    body: jsonOf(text),
    ...(form && { file: form.file }),
  }
}
