import { VendorError } from '#domains/platform/external-apis/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/time.ts'
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

const QUEUE = 'wechat.message'
const ATTEMPTS_MAX = 8
const LEASE_MS = 60_000
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
  await db.enqueue(QUEUE, { id }, { key: id, runAt })
  return id
}

const updateWechatMessage = async (db: Db, id: string, patch: Partial<Row>): Promise<void> =>
  publishRowsChanged({ db }, wechatMessage, [await db.update(wechatMessage, id, patch)])

const isOver = (time: string | null, now: Date) => !time || parseShanghaiTime(time) <= now
const mayRepeat = (app: Pick<WechatAppCredentials, 'kind'>, firstTime: string | null, now: Date) =>
  app.kind === 'official' && firstTime !== null && parseShanghaiTime(firstTime).getTime() + ONCE_MS > now.getTime()

type Claim = { app: WechatAppCredentials; row: Row } | undefined

/**
 * Claims a message for one sender with a lease. Returns undefined when it is settled, claimed by another, or must not
 * be sent: a message whose sender died ends as unconfirmed unless a repeat is safe, and one of a disabled app as
 * failed.
 */
async function claim(db: Db, services: Services, id: string): Promise<Claim> {
  const row = await db.get(wechatMessage, id, 'forUpdate')
  const now = services.now()
  if (row?.state !== WECHAT_MESSAGE_STATE.asked && row?.state !== WECHAT_MESSAGE_STATE.sending) return undefined
  if (row.state === WECHAT_MESSAGE_STATE.sending && !isOver(row.leaseUntil, now)) return undefined
  const found = row.wechatAppId ? await db.get(wechatApp, row.wechatAppId) : undefined
  // Its sender died while sending, so nobody knows whether it arrived.
  if (
    row.state === WECHAT_MESSAGE_STATE.sending &&
    !(found && mayRepeat(decryptWechatApp(services, found), row.firstTime, now))
  )
    return void (await updateWechatMessage(db, id, {
      state: WECHAT_MESSAGE_STATE.unconfirmed,
      failReason: WECHAT_UNCONFIRMED_TEXT,
      leaseUntil: null,
    }))
  if (!found?.enabled)
    return void (await updateWechatMessage(db, id, {
      state: WECHAT_MESSAGE_STATE.failed,
      failReason: WECHAT_APP_MISSING_TEXT,
    }))
  const claimed = await db.update(wechatMessage, id, {
    state: WECHAT_MESSAGE_STATE.sending,
    attempts: row.attempts! + 1,
    firstTime: row.firstTime ?? formatShanghaiTime(now),
    leaseUntil: formatShanghaiTime(new Date(now.getTime() + LEASE_MS)),
  })
  return { app: decryptWechatApp(services, found), row: claimed }
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

/** Returns the changes of a message that WeChat did not accept: retried, unconfirmed or failed. */
function outcomeOf(error: VendorError, { app, row }: NonNullable<Claim>, now: Date): Partial<Row> {
  const answer = { answerCode: error.code, answer: error.message, leaseUntil: null }
  const isSilent = error.code === 'no_answer'
  if (!error.isUndone)
    return mayRepeat(app, row.firstTime, now) && row.attempts! < ATTEMPTS_MAX
      ? { ...answer, failReason: WECHAT_UNREACHABLE_TEXT }
      : { ...answer, state: WECHAT_MESSAGE_STATE.unconfirmed, failReason: WECHAT_UNCONFIRMED_TEXT }
  if (error.isRetryable && row.attempts! < ATTEMPTS_MAX)
    return {
      ...answer,
      state: WECHAT_MESSAGE_STATE.asked,
      failReason: isSilent ? WECHAT_UNREACHABLE_TEXT : WECHAT_BUSY_TEXT,
    }
  const { state, words } = wechatFailureReason(error.code)
  return { ...answer, state, failReason: words }
}

/**
 * Sends a stored message unless it is settled or claimed by another, and records the answer; calling it again is safe.
 * Returns the message's state, or undefined when it does not exist.
 */
export async function sendWechatMessage(
  services: Services,
  tenantId: string,
  id: string,
): Promise<{ state: WechatMessageState; reason: string | null } | undefined> {
  const claimed = await services.unit({ tenantId }, (db) => claim(db, services, id))
  if (claimed) {
    const { app, row } = claimed
    const message = {
      openid: row.openid!,
      templateNo: row.templateNo!,
      target: row.target ?? '',
      values: JSON.parse(row.content!) as Record<string, string>,
      onceNo: `${tenantId}-${id}`,
    }
    const patch = await deliver(services, app, message).then(
      (messageNo): Partial<Row> => ({
        state: WECHAT_MESSAGE_STATE.sent,
        sentTime: formatShanghaiTime(services.now()),
        messageNo,
        answerCode: '0',
        answer: null,
        failReason: null,
        leaseUntil: null,
      }),
      (error: unknown) => {
        if (error instanceof VendorError) return outcomeOf(error, claimed, services.now())
        throw error
      },
    )
    await services.unit({ tenantId }, async (db) => {
      const now = await db.get(wechatMessage, id, 'forUpdate')
      if (now?.state === WECHAT_MESSAGE_STATE.sending && now.attempts === row.attempts)
        await updateWechatMessage(db, id, patch)
    })
  }
  const now = await services.unit({ tenantId }, (db) => db.get(wechatMessage, id))
  return now && { state: now.state as WechatMessageState, reason: now.failReason }
}

/**
 * Sends a message the requesting process did not finish. Throws while it is not settled, so that the job is retried.
 */
export const sendWechatMessageJob = defineModuleJob<{ id: string }>({
  queue: QUEUE,
  concurrency: 4,
  timeoutSeconds: 90,
  backoffSeconds: (attempt) => Math.min(15 * 2 ** attempt, 1800),
  run: async ({ id }, { tenantId, services }) => {
    const end = await sendWechatMessage(services, tenantId, id)
    if (end && (end.state === WECHAT_MESSAGE_STATE.asked || end.state === WECHAT_MESSAGE_STATE.sending))
      throw new Error(end.reason ?? 'the message is on its way')
  },
})
