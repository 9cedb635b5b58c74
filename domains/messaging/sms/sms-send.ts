import { callAndLogExternal } from '#domains/platform/logs/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import {
  assignmentsSql,
  defineOutboundCall,
  OutboundCallError,
  type CallRows,
  type OutboundContext,
} from '#kit/server/outbox/index.ts'
import { Refused } from '#kit/server/base/refused.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { formatShanghaiTime, parseShanghaiTime } from '#kit/server/base/time.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import { PROVIDER_ENABLED_STATUS, secretCipherOf } from '#domains/platform/files/api.ts'
import './refusals.ts'
import { sendSms, type SmsSendResult, type SmsProviderAccount } from './sms.client.ts'
import { sms, smsRecord } from './sms.resource.ts'

const PHONES_MAX = 200
const PER_HOUR = 10
/** Code of an answer that did not come, from `sendSms`. */
const NO_ANSWER = 'no_answer'
const HOUR_SECONDS = 3600
/** Messages older than this are not sent any more: most hold a sign-in code, which is useless by then. */
const LIFETIME_MS = 10 * 60_000
/** Delay of the takeover job: the requesting process sends at once, the job sends only if that process died. */
const TAKE_OVER_MS = 30_000
/** Without an answer nobody knows whether it went out: a duplicate is better than none, a few times. */
const ATTEMPTS_MAX = 3

/**
 * Returns the phones of a comma list without duplicates. Refuses an invalid number, more than `PHONES_MAX` phones, and
 * a phone with more than `PER_HOUR` messages in an hour.
 */
async function phonesOf(services: Services, tenantId: string, text: string): Promise<string[]> {
  const phones = [
    ...new Set(
      text
        .split(',')
        .map((phone) => phone.trim())
        .filter(Boolean),
    ),
  ]
  if (phones.length > PHONES_MAX) throw new Refused('sms_too_many', { max: PHONES_MAX })
  for (const phone of phones)
    if (!/^1[3-9]\d{9}$/.test(phone)) throw new Refused('sms_phone', { phone: phone.slice(0, 20) })
  for (const phone of phones) {
    if ((await services.shared.increment(tenantSharedKey(tenantId, 'sms', phone), HOUR_SECONDS)) > PER_HOUR)
      throw new Refused('sms_too_often', { phone })
  }
  return phones
}

/** Parses template values from a JSON object; accepts single quotes, as older clients send them. */
export function parseSmsParams(text: string | null): Record<string, string> {
  if (!text) return {}
  for (const candidate of [text, text.replaceAll("'", '"')]) {
    try {
      const value: unknown = JSON.parse(candidate)
      if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
      const entries = Object.entries(value)
      if (entries.length > 20 || entries.some(([, one]) => !['string', 'number', 'boolean'].includes(typeof one)))
        continue
      return Object.fromEntries(entries.map(([name, one]) => [name, String(one).slice(0, 500)]))
    } catch {
      continue
    }
  }
  throw new Refused('sms_params')
}

/**
 * Returns the placeholders of a template text, `#code#` or `${code}`. Empty for a template id: its text is at the
 * provider.
 */
export const smsTemplateParamNames = (template: string): string[] =>
  [...template.matchAll(/\$\{(\w+)\}|#(\w+)#/g)].map((match) => match[1] ?? match[2]!)

/**
 * Stores one record per phone and enqueues the takeover job in the caller's transaction, so that messages go out only
 * if it commits. Uses the provider with `code`, or the enabled one. Returns the batch id. Refuses a missing provider, a
 * missing template value and bad phones.
 */
export async function createSmsBatch(
  db: Db,
  services: Services,
  ask: { code?: string | null; phones: string; params: Record<string, string> },
): Promise<string> {
  const [row] = await db.find(
    sms,
    ask.code ? sql`r.sms_code = ${ask.code}` : sql`r.status = ${PROVIDER_ENABLED_STATUS}`,
  )
  if (!row) throw ask.code ? new Refused('not_found', { label: sms.label }) : new Refused('sms_not_configured')
  const missing = smsTemplateParamNames(row.templateId).find((name) => !ask.params[name])
  if (missing) throw new Refused('sms_param_missing', { name: missing })
  const phones = await phonesOf(services, db.tenantId, ask.phones)
  if (!phones.length) throw new Refused('missing_parameter', { name: 'phones' })
  const batchId = newId()
  const params = secretCipherOf(services).seal(JSON.stringify(ask.params))
  for (const phone of phones)
    await db.insert(smsRecord, { batchId, smsId: row.id, phone, params, state: 'asked', attempts: 0 })
  await smsCall.enqueue(db, batchId, { runAt: new Date(services.now().getTime() + TAKE_OVER_MS) })
  return batchId
}

/** The records of one batch, which are sent together: their common values, and the phone of each. */
type SmsBatch = RowOf<typeof smsRecord> & { phones: readonly string[]; expireTime: string }

const smsBatchRows: CallRows<SmsBatch> = {
  name: smsRecord.name,
  key: 'batchId',
  async lock(db, batchId) {
    const records = await db.find(smsRecord, sql`r.batch_id = ${batchId}`, sql`order by r.id for update`)
    const [first] = records
    if (!first) return undefined
    const expiresAt = new Date(parseShanghaiTime(first.createTime).getTime() + LIFETIME_MS)
    return { ...first, phones: records.map(({ phone }) => phone!), expireTime: formatShanghaiTime(expiresAt) }
  },
  async update(db, batch, patch) {
    await db.run(sql`update sms_record set ${assignmentsSql(patch)}, update_time = now()
      where tenant_id = ${db.tenantId} and batch_id = ${batch.batchId}`)
    return { ...batch, ...patch }
  },
  inStatesSql: (states) =>
    sql`select distinct batch_id as id, tenant_id from sms_record where state = any(${[...states]}::text[])`,
}

type SmsWork = { account: SmsProviderAccount; config: RowOf<typeof sms>; params: Record<string, string> }

async function prepare(db: Db, batch: SmsBatch, services: Services): Promise<{ work: SmsWork } | undefined> {
  const config = await db.get(sms, batch.smsId!)
  if (!config) return undefined
  const { open } = secretCipherOf(services)
  const account: SmsProviderAccount = {
    category: config.category as SmsProviderAccount['category'],
    accessKey: config.accessKey,
    secretKey: open(config.secretKey ?? ''),
    regionId: config.regionId ?? undefined,
    endpoint: config.endpoint ?? undefined,
    mayBeInside: config.mayBeInside !== false,
  }
  return { work: { account, config, params: JSON.parse(open(batch.params!)) as Record<string, string> } }
}

async function sendBatch({ services, tenantId, row: batch, work }: OutboundContext<SmsBatch, SmsWork>) {
  const { account, config, params } = work
  const message = { phones: [...batch.phones], templateId: config.templateId, params, signName: config.signName ?? '' }
  // Logs only the names of the template values: the values may be sign-in codes.
  const request = { ...message, phones: undefined, phone: batch.phones.join(','), params: Object.keys(params) }
  const answer = await callAndLogExternal(
    services,
    { tenantId, system: 'sms', method: 'POST', url: config.endpoint || `sms/${config.category}`, request },
    () => sendSms(account, message),
    ({ code, msg, bizId }) => ({ bizCode: code, response: { msg, bizId } }),
  )
  if (answer.code === NO_ANSWER) throw new OutboundCallError(answer.msg, { isUndone: false, isRetryable: true })
  const patch = { ...answerPatch(answer), params: null }
  return answer.success ? ({ outcome: 'done', patch } as const) : ({ outcome: 'failed', patch } as const)
}

const answerPatch = ({ code, msg, bizId }: Omit<SmsSendResult, 'success'>) => ({
  providerCode: code.slice(0, 100),
  providerMsg: msg.slice(0, 500),
  bizId: bizId.slice(0, 500),
})

export const smsCall = defineOutboundCall<SmsBatch, SmsWork>({
  queue: 'sms.send',
  payloadKey: 'batchId',
  sweep: { queue: 'sms.sweep', cron: '*/2 * * * *', crossTenantReason: 'text messages of all tenants nobody sends' },
  rows: smsBatchRows,
  fields: {
    state: 'state',
    attempts: 'attempts',
    doneTime: 'sentTime',
    expireTime: 'expireTime',
    leaseUntil: 'leaseUntil',
  },
  states: { queued: 'asked', sent: 'sending', unclear: 'asked', done: 'sent', failed: 'failed', expired: 'expired' },
  prepare,
  send: sendBatch,
  isRepeatable: () => true,
  attemptsMax: ATTEMPTS_MAX,
  explain: ({ message }, end) => ({
    ...answerPatch({ code: NO_ANSWER, msg: message, bizId: '' }),
    ...(end === 'unknown' && { params: null }),
  }),
})

/**
 * Sends a stored batch and records the provider's answer. Returns undefined without sending when nothing is left to
 * send, so calling it again is safe.
 */
export async function sendSmsBatch(
  services: Services,
  tenantId: string,
  batchId: string,
): Promise<SmsSendResult | undefined> {
  const answer = await smsCall.sendNow(services, tenantId, batchId)
  if (!answer) return undefined
  const { providerCode, providerMsg, bizId } = answer.patch ?? {}
  return {
    success: answer.outcome === 'done',
    code: providerCode ?? NO_ANSWER,
    msg: providerMsg ?? '',
    bizId: bizId ?? '',
  }
}
