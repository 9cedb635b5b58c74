import { callAndLogExternal } from '#domains/platform/logs/api.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/refused.ts'
import type { RowOf } from '#kit/resource/index.ts'
import type { Services } from '#kit/server/services.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { tenantSharedKey } from '#kit/server/shared/index.ts'
import sql from 'sql-template-tag'
import { PROVIDER_ENABLED_STATUS, secretCipherOf } from '#domains/platform/files/api.ts'
import './refusals.ts'
import { sendSms, type SmsSendResult, type SmsProviderAccount } from './sms.client.ts'
import { sms, smsRecord } from './sms.resource.ts'

export const SMS_SEND_QUEUE = 'sms.send'

const PHONES_MAX = 200
const PER_HOUR = 10
const HOUR_SECONDS = 3600
const LEASE_SECONDS = 60
/** Messages older than this are not sent any more: most hold a sign-in code, which is useless by then. */
const EXPIRES_MINUTES = 10
/** Delay of the takeover job: the requesting process sends at once, the job sends only if that process died. */
const TAKE_OVER_MS = 30_000
const attemptsMax = 3

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
  await db.enqueue(SMS_SEND_QUEUE, { batchId }, { key: batchId, runAt: new Date(Date.now() + TAKE_OVER_MS) })
  return batchId
}

type Claimed = { config: RowOf<typeof sms>; phones: string[]; params: Record<string, string>; attempts: number }

/**
 * Claims a batch for one sender with a lease. Returns undefined when it is done, expired or claimed by another sender,
 * or when its provider was deleted.
 */
async function claim(db: Db, services: Services, batchId: string): Promise<Claimed | undefined> {
  await db.run(
    sql`update sms_record set state = 'expired', update_time = now() where tenant_id = ${db.tenantId}
      and batch_id = ${batchId} and state in ('asked', 'sending')
      and create_time < now() - make_interval(mins => ${EXPIRES_MINUTES})`,
  )
  const rows = await db.query<{ smsId: string; phone: string; params: string; attempts: number }>(sql`
    update sms_record set state = 'sending', attempts = attempts + 1,
    lease_until = now() + make_interval(secs => ${LEASE_SECONDS}), update_time = now()
    where tenant_id = ${db.tenantId} and batch_id = ${batchId} and (state = 'asked' or (state = 'sending'
    and lease_until < now()))
    returning sms_id::text, phone, params, attempts`)
  const first = rows[0]
  const config = first && (await db.get(sms, first.smsId))
  if (!first || !config) return undefined
  return {
    config,
    phones: rows.map((row) => row.phone),
    params: JSON.parse(secretCipherOf(services).open(first.params)) as Record<string, string>,
    attempts: first.attempts,
  }
}

/**
 * Sends a stored batch and records the provider's answer. Returns undefined without sending when nothing is left to
 * claim, so calling it again is safe.
 */
export async function sendSmsBatch(
  services: Services,
  tenantId: string,
  batchId: string,
): Promise<SmsSendResult | undefined> {
  const claimed = await services.unit({ tenantId }, (db) => claim(db, services, batchId))
  if (!claimed) return undefined
  const { config, phones, params, attempts } = claimed
  const account: SmsProviderAccount = {
    category: config.category as SmsProviderAccount['category'],
    accessKey: config.accessKey,
    secretKey: secretCipherOf(services).open(config.secretKey ?? ''),
    regionId: config.regionId ?? undefined,
    endpoint: config.endpoint ?? undefined,
    mayBeInside: config.mayBeInside !== false,
  }
  const message = { phones, templateId: config.templateId, params, signName: config.signName ?? '' }
  // Logs only the names of the template values: the values may be sign-in codes.
  const request = { ...message, phones: undefined, phone: phones.join(','), params: Object.keys(params) }
  const answer = await callAndLogExternal(
    services,
    { tenantId, system: 'sms', method: 'POST', url: config.endpoint || `sms/${config.category}`, request },
    () => sendSms(account, message),
    ({ code, msg, bizId }) => ({ bizCode: code, response: { msg, bizId } }),
  )
  // Without an answer it is unknown whether the message went out: retried up to `attemptsMax`, a duplicate being better
  // than none.
  const state = answer.success ? 'sent' : answer.code === 'no_answer' && attempts < attemptsMax ? 'asked' : 'failed'
  await services.unit({ tenantId }, (db) =>
    db.run(sql`
    update sms_record set state = ${state}, provider_code = ${answer.code.slice(0, 100)},
    provider_msg = ${answer.msg.slice(0, 500)}, biz_id = ${answer.bizId.slice(0, 500)},
      sent_time = ${state === 'sent' ? sql`now()` : sql`sent_time`},
      params = ${state === 'asked' ? sql`params` : sql`null`}, lease_until = null, update_time = now()
    where tenant_id = ${tenantId} and batch_id = ${batchId} and state = 'sending'`),
  )
  return answer
}
