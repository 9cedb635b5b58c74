import { VendorError } from '#domains/platform/external-apis/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import {
  callRowsOf,
  defineOutboundCall,
  type FaultEnd,
  type OutboundCallError,
  type OutboundContext,
  type PreparedCall,
} from '#kit/server/outbox/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import { decryptWechatApp, type WechatAppCredentials } from './apps.ts'
import {
  WECHAT_BUSY_TEXT,
  WECHAT_APP_MISSING_TEXT,
  wechatFailureReason,
  WECHAT_UNCONFIRMED_TEXT,
  WECHAT_UNREACHABLE_TEXT,
} from './reasons.ts'
import './refusals.ts'
import { getWechatAccessToken } from './tokens.ts'
import { fitWechatTemplateValue } from './values.ts'
import { wechatApp } from './wechat-app.resource.ts'
import { WECHAT_MESSAGE_STATE, wechatMessage, type WechatMessageState } from './wechat-message.resource.ts'
import { isWechatTokenRejected, postWechatMessage, type WechatMessageContent } from './wechat.client.ts'

const ATTEMPTS_MAX = 8
/**
 * How long an official account ignores a message repeated under the same `client_msg_id` (ten minutes, less a margin).
 */
const ONCE_MS = 9 * 60_000
/** Delay of the takeover job: the requesting process sends at once, the job sends only if that process died. */
const TAKE_OVER_MS = 30_000

type Row = RowOf<typeof wechatMessage>
type WechatMessageRequest = {
  wechatAppId: string
  openid: string
  templateNo: string
  target?: string | null
  /** Text by template field; each is cut to what the field accepts. */
  values: Record<string, string>
  /** True when the caller does not send it: the job starts without delay. */
  atOnce?: boolean
}

/**
 * Stores a message to one person and enqueues its job in the caller's transaction, so that it goes out only if that
 * commits. Returns its id. Refuses when the app is missing or disabled.
 */
export async function createWechatMessage(db: Db, services: Services, ask: WechatMessageRequest): Promise<string> {
  const app = await db.get(wechatApp, ask.wechatAppId)
  if (!app?.enabled) throw new Refused('wechat_app_missing')
  const values = Object.fromEntries(
    Object.entries(ask.values).map(([field, text]) => [field, fitWechatTemplateValue(field, text)]),
  )
  const { id } = await db.insert(wechatMessage, {
    wechatAppId: app.id,
    openid: ask.openid,
    templateNo: ask.templateNo,
    target: ask.target ?? '',
    content: JSON.stringify(values),
    state: WECHAT_MESSAGE_STATE.asked,
    attempts: 0,
  })
  const runAt = new Date(services.now().getTime() + (ask.atOnce ? 0 : TAKE_OVER_MS))
  await wechatMessageCall.enqueue(db, id, { runAt })
  return id
}

/** Gets a token; its errors are marked `isUndone`, since without a token the message was certainly not sent. */
async function tokenFor(services: Services, app: WechatAppCredentials, bad?: string): Promise<string> {
  try {
    return await getWechatAccessToken(services, app, bad)
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    const { system, code, message, isRetryable } = error
    throw new VendorError({ system, code, message, isRetryable, isUndone: true, cause: error })
  }
}

/** Sends with the stored token, and once more with a new one when WeChat rejects the token. */
async function deliver(services: Services, app: WechatAppCredentials, message: WechatMessageContent): Promise<string> {
  const token = await tokenFor(services, app)
  try {
    return await postWechatMessage(services, app, { message, token })
  } catch (error) {
    if (!isWechatTokenRejected(error)) throw error
    return postWechatMessage(services, app, { message, token: await tokenFor(services, app, token) })
  }
}

type WechatWork = { app: WechatAppCredentials }

async function prepare(db: Db, row: Row, services: Services): Promise<PreparedCall<Row, WechatWork>> {
  const app = row.wechatAppId ? await db.get(wechatApp, row.wechatAppId) : undefined
  return app?.enabled
    ? { work: { app: decryptWechatApp(services, app) } }
    : { answer: { outcome: 'failed', patch: { failReason: WECHAT_APP_MISSING_TEXT } } }
}

async function sendMessage({ services, tenantId, row, work }: OutboundContext<Row, WechatWork>) {
  const messageNo = await deliver(services, work.app, {
    openid: row.openid!,
    templateNo: row.templateNo!,
    target: row.target ?? '',
    values: JSON.parse(row.content!) as Record<string, string>,
    onceNo: `${tenantId}-${row.id}`,
  })
  return { outcome: 'done', patch: { messageNo, answerCode: '0', answer: null } } as const
}

/** What WeChat's answer leaves in a message it did not accept; some refusals have a state of their own. */
function explain(error: OutboundCallError, end: FaultEnd): Partial<Row> {
  const code = error instanceof VendorError ? error.code : ''
  const answered = { answerCode: code, answer: error.message }
  if (end === 'unknown') return { ...answered, failReason: WECHAT_UNCONFIRMED_TEXT }
  if (end === 'refused') {
    const { state, words } = wechatFailureReason(code)
    return { ...answered, state, failReason: words }
  }
  const isSilent = end === 'unclear' || code === 'no_answer'
  return { ...answered, failReason: isSilent ? WECHAT_UNREACHABLE_TEXT : WECHAT_BUSY_TEXT }
}

export const wechatMessageCall = defineOutboundCall<Row, WechatWork>({
  queue: 'wechat.message',
  sweep: {
    queue: 'wechat.message.sweep',
    cron: '*/10 * * * *',
    crossTenantReason: 'WeChat messages of all tenants that nobody sends',
  },
  rows: callRowsOf(wechatMessage, 'state'),
  fields: {
    state: 'state',
    reason: 'failReason',
    attempts: 'attempts',
    sentTime: 'firstTime',
    doneTime: 'sentTime',
    leaseUntil: 'leaseUntil',
  },
  states: {
    queued: WECHAT_MESSAGE_STATE.asked,
    sent: WECHAT_MESSAGE_STATE.sending,
    done: WECHAT_MESSAGE_STATE.sent,
    failed: WECHAT_MESSAGE_STATE.failed,
    unknown: WECHAT_MESSAGE_STATE.unconfirmed,
  },
  prepare,
  send: sendMessage,
  isRepeatable: ({ firstTime }, { app }, now) =>
    app.kind === 'official' && firstTime !== null && parseShanghaiTime(firstTime).getTime() + ONCE_MS > now.getTime(),
  attemptsMax: ATTEMPTS_MAX,
  explain,
  texts: { unknown: WECHAT_UNCONFIRMED_TEXT },
  concurrency: 4,
  timeoutSeconds: 90,
  backoffSeconds: (attempt) => Math.min(15 * 2 ** attempt, 1800),
})

/**
 * Sends a stored message unless it is ended or claimed by another, and records the answer; calling it again is safe.
 * Returns the message's state, or undefined when it does not exist.
 */
export async function sendWechatMessage(
  services: Services,
  tenantId: string,
  id: string,
): Promise<{ state: WechatMessageState; reason: string | null } | undefined> {
  await wechatMessageCall.sendNow(services, tenantId, id)
  const now = await services.unit({ tenantId }, (db) => db.get(wechatMessage, id))
  return now && { state: now.state as WechatMessageState, reason: now.failReason }
}
