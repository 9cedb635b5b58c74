import { paramNumber } from '#domains/platform/system/api.ts'
import type { Field } from '#kit/fields/base/field-kind.ts'
import { defineSystemParam } from '#kit/resource/index.ts'
import { localize } from '#kit/base/localized-text.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { personalOpeningsSlot } from '#kit/server/resource/open-personal.ts'
import { type Call, serve } from '#kit/server/module/module.ts'
import { defineRefusals, Refused, type CodesOf } from '#kit/server/base/refused.ts'
import type { Services } from '#kit/server/module/services.ts'
import { defineSlot, type SlotValue } from '#kit/server/base/slots.ts'
import { translateSystemText } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { personalOpening } from './personal-opening.resource.ts'

export const PERSONAL_OPENING_MINUTES_PARAM = defineSystemParam({
  key: 'personal.openMinutes',
  value: '10',
  number: { min: 1, max: 120 },
  label: { zh: '个人信息打开后可看多少分钟', en: 'Personal data visibility (min)' },
  help: { zh: '到时要重新说明原因', en: 'After that a reason must be entered again' },
})

export const PERSONAL_OPENINGS_HOURLY_PARAM = defineSystemParam({
  key: 'personal.openPerHour',
  value: '60',
  number: { min: 1, max: 10_000 },
  label: { zh: '每人每小时可打开的个人信息', en: 'Personal data reveals per person and hour' },
  help: {
    zh: '达到后当小时内不能再打开其他人的',
    en: "After that, no other people's data can be revealed until the hour is over",
  },
})
export const PERSONAL_OPENINGS_ALERT_PARAM = defineSystemParam({
  key: 'personal.toldFrom',
  value: '20',
  number: { min: 1, max: 10_000 },
  label: { zh: '一小时内打开多少份时通知管理员', en: 'Reveals per hour before administrators are notified' },
  help: { zh: '每人每小时通知一次', en: 'One notification per person and hour' },
})

const refusals = defineRefusals({
  personal_too_many: {
    status: 429,
    zh: '一小时内最多打开 {max} 人的个人信息，请稍后再看',
    en: 'You can reveal the personal data of up to {max} {max|person|people} within an hour. Try again later.',
  },
})

declare module '#kit/server/base/refused.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions
  interface Refusals extends CodesOf<typeof refusals> {}
}

const HOUR_MS = 3_600_000

type Owners = Record<string, readonly string[]>
type PersonalOpeningsAlert = { userId: string; account: string; count: number; hour: number; owners: Owners }

/** Notifies the tenant's administrators of many views; filled by the module that sends notifications. */
export const personalOpeningsAlertSlot =
  defineSlot<(db: Db, services: Services, alert: PersonalOpeningsAlert) => Promise<void>>('openingsTold')

/** Refuses a view above the hourly limit per person; notifies administrators earlier, from a lower number on. */
async function requireFew(
  { services, caller: { userId, account } }: Call,
  db: Db,
  row: { family: string; rowId: string; owners: Owners },
) {
  const [max, notifyFrom] = await Promise.all([
    paramNumber(services, PERSONAL_OPENINGS_HOURLY_PARAM),
    paramNumber(services, PERSONAL_OPENINGS_ALERT_PARAM),
  ])
  // The lock makes the second of two parallel views count the first.
  await db.advisoryLock(`personal/${userId}`)
  const since = services.now().getTime() - HOUR_MS
  const { count } = (await db.one<{ count: number }>(sql`select count(distinct (family, row_id))::int as count
    from personal_opening where tenant_id = ${db.tenantId} and user_id = ${userId}
    and create_time > ${new Date(since).toISOString()} and (family, row_id) <> (${row.family}, ${row.rowId})`))!
  if (count >= max) throw new Refused('personal_too_many', { max })
  if (count + 1 >= notifyFrom)
    await services.slots.find(personalOpeningsAlertSlot)?.(db, services, {
      userId,
      account,
      count: count + 1,
      hour: Math.floor(services.now().getTime() / HOUR_MS),
      owners: row.owners,
    })
}

/** Logs a view of personal data in the transaction that returns it, so that nothing is shown unlogged. */
export const personalOpeningsRecorder: SlotValue<typeof personalOpeningsSlot> = {
  note: async (db, call, { family, rowId, title, fields, reason, owners = {} }) => {
    const { services, caller, request } = call
    await requireFew(call, db, { family, rowId, owners })
    const until = new Date(
      services.now().getTime() + (await paramNumber(services, PERSONAL_OPENING_MINUTES_PARAM)) * 60_000,
    )
    await db.insert(personalOpening, {
      userId: caller.userId,
      account: caller.account,
      family,
      rowId,
      rowTitle: title.slice(0, 200),
      shown: [...fields],
      reason,
      untilTime: formatShanghaiTime(until),
      remoteIp: request.ip.slice(0, 64),
    })
    return until
  },
  until: async (db, { services, caller }, { family, rowId }) => {
    const row = await db.one<{ until: string | null }>(sql`
      select extract(epoch from max(until_time))::text as until from personal_opening where tenant_id = ${db.tenantId}
      and user_id = ${caller.userId} and family = ${family} and row_id = ${rowId}`)
    const until = row?.until ? new Date(Number(row.until) * 1000) : undefined
    return until && until > services.now() ? until : undefined
  },
}

export const personalOpeningServer = serve(personalOpening, {
  without: ['submit', 'remove'],
  /** Shows resources and fields by their labels. */
  present: (wire, rows, { services, lang }) => {
    for (const [at, row] of wire.entries()) {
      const resource = services.registry.served.get(String(rows[at]!.family))?.resource
      if (resource) {
        const fields = resource.fields as Record<string, Field>
        row.family = localize(resource.label, lang)
        row.shown = (rows[at]!.shown ?? []).map((key) => (fields[key] ? localize(fields[key].label, lang) : key)).join()
      }
      row.reason = translateSystemText(String(row.reason ?? ''), lang)
    }
  },
})
