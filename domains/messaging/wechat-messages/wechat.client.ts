import { callVendor, VendorError } from '#domains/platform/external-apis/api.ts'
import type { ExternalResponse } from '#kit/server/request/external-request.ts'
import type { Services } from '#kit/server/module/services.ts'
import type { WechatAppCredentials } from './apps.ts'
import { parseUntrustedJson } from '#kit/server/base/outside-json.ts'

type WechatEnvelope = { errcode?: number; errmsg?: string; [key: string]: unknown }

/** Codes of a rejected token: another process requested a new one, or it expired. */
const TOKEN_CODES = new Set(['40001', '40014', '42001'])
/**
 * Codes of a busy system or an exceeded limit (for now, per minute or per day): nothing was sent, a retry later may
 * succeed.
 */
const LATER_CODES = new Set(['-1', '45009', '45011', '45047'])

export const isWechatTokenRejected = (error: unknown): boolean =>
  error instanceof VendorError && TOKEN_CODES.has(error.code)

function parseEnvelope({ status, body }: ExternalResponse): WechatEnvelope | undefined {
  if (status !== 200) return undefined
  try {
    const envelope: unknown = parseUntrustedJson(body.toString('utf8'))
    return typeof envelope === 'object' && envelope !== null ? (envelope as WechatEnvelope) : undefined
  } catch {
    return undefined
  }
}

const codeOf = (envelope: WechatEnvelope | undefined, status: number) =>
  envelope ? String(envelope.errcode ?? 0) : `http_${status}`

/**
 * Calls WeChat's API, which answers 200 with an `errcode`; throws a `VendorError` unless that is 0. After an answer
 * that is not WeChat's JSON it is unknown whether the call took effect (`isUndone` is false).
 */
async function requestWechat(
  services: Services,
  app: WechatAppCredentials,
  { path, token, body, shown }: { path: string; token?: string; body: object; shown: object },
): Promise<WechatEnvelope> {
  const reply = await callVendor(services, {
    tenantId: app.tenantId,
    system: 'wechatMessage',
    method: 'POST',
    url: `${app.base}${path}${token === undefined ? '' : `?access_token=${encodeURIComponent(token)}`}`,
    body: JSON.stringify(body),
    contentType: 'application/json',
    mayBeInside: app.mayBeInside,
    shown,
    read: (reply) => {
      const envelope = parseEnvelope(reply)
      return {
        bizCode: codeOf(envelope, reply.status),
        response: envelope && { errmsg: envelope.errmsg, msgid: envelope.msgid },
      }
    },
  })
  const envelope = parseEnvelope(reply)
  if (envelope && !envelope.errcode) return envelope
  const code = codeOf(envelope, reply.status)
  throw new VendorError({
    system: 'wechatMessage',
    code,
    message: String(envelope?.errmsg ?? `HTTP ${reply.status}`).slice(0, 300),
    httpStatus: reply.status,
    isRetryable: !envelope || LATER_CODES.has(code) || TOKEN_CODES.has(code),
    isUndone: envelope !== undefined,
  })
}

/**
 * Requests a token and the seconds it is valid. WeChat returns the current one until shortly before its end unless
 * `isForced`.
 */
export async function fetchWechatAccessToken(
  services: Services,
  app: WechatAppCredentials,
  isForced: boolean,
): Promise<{ token: string; seconds: number }> {
  const rest = { grant_type: 'client_credential', appid: app.appid, force_refresh: isForced }
  const envelope = await requestWechat(services, app, {
    path: '/cgi-bin/stable_token',
    body: { ...rest, secret: app.secret },
    shown: rest,
  })
  return { token: String(envelope.access_token), seconds: Number(envelope.expires_in) }
}

export type WechatMessageContent = {
  openid: string
  templateNo: string
  /** Page path in a mini program, or URL for an official account; empty opens nothing. */
  target: string
  /** Text by template field. */
  values: Record<string, string>
  /** Idempotency key: an official account sends a message once per key within ten minutes. Mini programs ignore it. */
  onceNo: string
}

/** Sends one message with this token. Returns WeChat's message id, or '' when it gives none. */
export async function postWechatMessage(
  services: Services,
  app: WechatAppCredentials,
  { message, token }: { message: WechatMessageContent; token: string },
): Promise<string> {
  const { openid, templateNo, target, values, onceNo } = message
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]))
  const to = { touser: openid, template_id: templateNo }
  const envelope = await requestWechat(services, app, {
    token,
    shown: { ...to, data: Object.keys(data) },
    ...(app.kind === 'mini'
      ? {
          path: '/cgi-bin/message/subscribe/send',
          body: {
            ...to,
            ...(target && { page: target }),
            data,
            miniprogram_state: app.programState,
            lang: 'zh_CN',
          },
        }
      : {
          path: '/cgi-bin/message/template/send',
          body: { ...to, ...(target && { url: target }), data, client_msg_id: onceNo },
        }),
  })
  return envelope.msgid === undefined ? '' : String(envelope.msgid)
}
