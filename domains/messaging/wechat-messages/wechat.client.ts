import { callVendor, VendorError } from '#domains/platform/external-apis/api.ts'
import type { ExternalResponse } from '#kit/server/request/external-request.ts'
import type { Services } from '#kit/server/services.ts'
import type { WechatAppCredentials } from './apps.ts'
import { parseUntrustedJson } from '#kit/server/outside-json.ts'

type WechatEnvelope = { errcode?: number; errmsg?: string; [key: string]: unknown }

/** The token is no good any more: somebody took another, or its time is over. */
const TOKEN_CODES = new Set(['40001', '40014', '42001'])
/** Busy, or asked too often for the moment, the minute or the day: nothing was done, and later it goes. */
const LATER_CODES = new Set(['-1', '45009', '45011', '45047'])

export const isWechatTokenRejected = (error: unknown): boolean =>
  error instanceof VendorError && TOKEN_CODES.has(error.code)

function saidIn({ status, body }: ExternalResponse): WechatEnvelope | undefined {
  if (status !== 200) return undefined
  try {
    const said: unknown = parseUntrustedJson(body.toString('utf8'))
    return typeof said === 'object' && said !== null ? (said as WechatEnvelope) : undefined
  } catch {
    return undefined
  }
}

const codeOf = (said: WechatEnvelope | undefined, status: number) =>
  said ? String(said.errcode ?? 0) : `http_${status}`

/**
 * Asks an interface of WeChat, which answers 200 with `errcode`; whatever is not 0 is a `VendorError`. An answer that
 * is none of its own says nothing about what was done.
 */
async function ask(
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
      const said = saidIn(reply)
      return { bizCode: codeOf(said, reply.status), response: said && { errmsg: said.errmsg, msgid: said.msgid } }
    },
  })
  const said = saidIn(reply)
  if (said && !said.errcode) return said
  const code = codeOf(said, reply.status)
  throw new VendorError({
    system: 'wechatMessage',
    code,
    message: String(said?.errmsg ?? `HTTP ${reply.status}`).slice(0, 300),
    httpStatus: reply.status,
    isRetryable: !said || LATER_CODES.has(code) || TOKEN_CODES.has(code),
    isUndone: said !== undefined,
  })
}

/** A token of the app and the seconds it is good for; the same one until shortly before its end unless `isForced`. */
export async function fetchWechatAccessToken(
  services: Services,
  app: WechatAppCredentials,
  isForced: boolean,
): Promise<{ token: string; seconds: number }> {
  const rest = { grant_type: 'client_credential', appid: app.appid, force_refresh: isForced }
  const said = await ask(services, app, {
    path: '/cgi-bin/stable_token',
    body: { ...rest, secret: app.secret },
    shown: rest,
  })
  return { token: String(said.access_token), seconds: Number(said.expires_in) }
}

export type WechatMessageContent = {
  openid: string
  templateNo: string
  /** Path of a mini program, or an address for an official account; empty opens nothing. */
  target: string
  /** What stands in which field of the template. */
  values: Record<string, string>
  /** The same for each time this message is asked: an official account sends it once within ten minutes. */
  onceNo: string
}

/** Sends one message by one token; answers WeChat's number of it, empty where it gives none. */
export async function postWechatMessage(
  services: Services,
  app: WechatAppCredentials,
  { message, token }: { message: WechatMessageContent; token: string },
): Promise<string> {
  const { openid, templateNo, target, values, onceNo } = message
  const data = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]))
  const to = { touser: openid, template_id: templateNo }
  const said = await ask(services, app, {
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
  return said.msgid === undefined ? '' : String(said.msgid)
}
