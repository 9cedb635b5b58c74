import { VendorError } from '#domains/platform/external-apis/api.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { fromShanghai, shanghaiText } from '#kit/server/time.ts'
import { openedApp, type WechatApp } from './apps.ts'
import { LATER, NO_APP, reasonOf, UNCONFIRMED, UNREACHABLE } from './reasons.ts'
import './refusals.ts'
import { tokenOf } from './tokens.ts'
import { valueFor } from './values.ts'
import { wechatApp } from './wechat-app.resource.ts'
import { MESSAGE, wechatMessage, type MessageState } from './wechat-message.resource.ts'
import { isTokenBad, sendMessage, type Message } from './wechat.client.ts'

const QUEUE = 'wechat.message'
const ATTEMPTS_MAX = 8
const LEASE_MS = 60_000
/** So long an official account takes the same number for the same message; a little less. */
const ONCE_MS = 9 * 60_000
/** The process that asked sends at once; the job takes over when it died. */
const TAKE_OVER_MS = 30_000

type Row = RowOf<typeof wechatMessage>
type WechatMessageRequest = {
  wechatAppId: string
  openid: string
  templateNo: string
  target?: string | null
  /** Fields of the template, each with what shall stand in it; cut to what the field takes. */
  values: Record<string, string>
  /** Nobody else sends it: the job does, now. */
  atOnce?: boolean
}

/**
 * Writes down a message to one person, in the caller's transaction: it goes out if and only if that commits. Answers
 * its row. Refuses where the app is not in use.
 */
export async function askWechat(db: Db, services: Services, ask: WechatMessageRequest): Promise<string> {
  const app = await db.get(wechatApp, ask.wechatAppId)
  if (!app?.enabled) throw new Refused('wechat_app_missing')
  const values = Object.fromEntries(Object.entries(ask.values).map(([field, text]) => [field, valueFor(field, text)]))
  const { id } = await db.insert(wechatMessage, {
    wechatAppId: app.id,
    openid: ask.openid,
    templateNo: ask.templateNo,
    target: ask.target ?? '',
    content: JSON.stringify(values),
    state: MESSAGE.asked,
    attempts: 0,
  })
  const runAt = new Date(services.now().getTime() + (ask.atOnce ? 0 : TAKE_OVER_MS))
  await db.enqueue(QUEUE, { id }, { key: id, runAt })
  return id
}

const updateWechatMessage = async (db: Db, id: string, patch: Partial<Row>): Promise<void> =>
  publishChanged({ db }, wechatMessage, [await db.update(wechatMessage, id, patch)])

const isOver = (time: string | null, now: Date) => !time || fromShanghai(time) <= now
const mayRepeat = (app: Pick<WechatApp, 'kind'>, firstTime: string | null, now: Date) =>
  app.kind === 'official' && firstTime !== null && fromShanghai(firstTime).getTime() + ONCE_MS > now.getTime()

type Claim = { app: WechatApp; row: Row } | undefined

/** Takes a message for one sender; undefined where it is settled, in other hands, or not to be sent any more. */
async function claim(db: Db, services: Services, id: string): Promise<Claim> {
  const row = await db.get(wechatMessage, id, 'forUpdate')
  const now = services.now()
  if (row?.state !== MESSAGE.asked && row?.state !== MESSAGE.sending) return undefined
  if (row.state === MESSAGE.sending && !isOver(row.leaseUntil, now)) return undefined
  const found = row.wechatAppId ? await db.get(wechatApp, row.wechatAppId) : undefined
  // Of what was being sent nobody knows whether it arrived.
  if (row.state === MESSAGE.sending && !(found && mayRepeat(openedApp(services, found), row.firstTime, now)))
    return void (await updateWechatMessage(db, id, {
      state: MESSAGE.unconfirmed,
      failReason: UNCONFIRMED,
      leaseUntil: null,
    }))
  if (!found?.enabled) return void (await updateWechatMessage(db, id, { state: MESSAGE.failed, failReason: NO_APP }))
  const claimed = await db.update(wechatMessage, id, {
    state: MESSAGE.sending,
    attempts: row.attempts! + 1,
    firstTime: row.firstTime ?? shanghaiText(now),
    leaseUntil: shanghaiText(new Date(now.getTime() + LEASE_MS)),
  })
  return { app: openedApp(services, found), row: claimed }
}

/** Nothing of the message left while there was no token: that it was not sent is certain. */
async function tokenFor(services: Services, app: WechatApp, bad?: string): Promise<string> {
  try {
    return await tokenOf(services, app, bad)
  } catch (error) {
    if (!(error instanceof VendorError)) throw error
    const { system, code, message, isRetryable } = error
    throw new VendorError({ system, code, message, isRetryable, isUndone: true, cause: error })
  }
}

/** Sends by the token there is, and once more by a new one where it is refused. */
async function deliver(services: Services, app: WechatApp, message: Message): Promise<string> {
  const token = await tokenFor(services, app)
  try {
    return await sendMessage(services, app, { message, token })
  } catch (error) {
    if (!isTokenBad(error)) throw error
    return sendMessage(services, app, { message, token: await tokenFor(services, app, token) })
  }
}

/** What becomes of a message that was not answered with yes. */
function outcomeOf(error: VendorError, { app, row }: NonNullable<Claim>, now: Date): Partial<Row> {
  const said = { answerCode: error.code, answer: error.message, leaseUntil: null }
  const isSilent = error.code === 'no_answer'
  if (!error.isUndone)
    return mayRepeat(app, row.firstTime, now) && row.attempts! < ATTEMPTS_MAX
      ? { ...said, failReason: UNREACHABLE }
      : { ...said, state: MESSAGE.unconfirmed, failReason: UNCONFIRMED }
  if (error.isRetryable && row.attempts! < ATTEMPTS_MAX)
    return { ...said, state: MESSAGE.asked, failReason: isSilent ? UNREACHABLE : LATER }
  const { state, words } = reasonOf(error.code)
  return { ...said, state, failReason: words }
}

/** Sends a message that was asked for and writes down the answer; safe from anywhere, any number of times. */
export async function sendWechat(
  services: Services,
  tenantId: string,
  id: string,
): Promise<{ state: MessageState; reason: string | null } | undefined> {
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
        state: MESSAGE.sent,
        sentTime: shanghaiText(services.now()),
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
      if (now?.state === MESSAGE.sending && now.attempts === row.attempts) await updateWechatMessage(db, id, patch)
    })
  }
  const now = await services.unit({ tenantId }, (db) => db.get(wechatMessage, id))
  return now && { state: now.state as MessageState, reason: now.failReason }
}

/** Sends what the process that was asked could not finish. */
export const wechatMessageJob = defineModuleJob<{ id: string }>({
  queue: QUEUE,
  concurrency: 4,
  timeoutSeconds: 90,
  backoffSeconds: (attempt) => Math.min(15 * 2 ** attempt, 1800),
  run: async ({ id }, { tenantId, services }) => {
    const end = await sendWechat(services, tenantId, id)
    if (end && (end.state === MESSAGE.asked || end.state === MESSAGE.sending))
      throw new Error(end.reason ?? 'the message is on its way')
  },
})
