import { paramNumber } from '#domains/system/doors.ts'
import type { Field } from '#kit/fields/field-kind.ts'
import { defineParam } from '#kit/resource/index.ts'
import { say } from '#kit/resource/words.ts'
import { sql } from '#kit/server/database/db.ts'
import type { openings } from '#kit/server/resource/open-personal.ts'
import { serve } from '#kit/server/room.ts'
import type { SlotValue } from '#kit/server/slots.ts'
import { systemWordsIn } from '#kit/server/system-words.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { personalOpening } from './personal-opening.resource.ts'

export const OPEN_MINUTES = defineParam({
  key: 'personal.openMinutes',
  value: '10',
  number: { min: 1, max: 120 },
  label: { zh: '个人信息打开后可看多少分钟', en: 'Minutes personal data stays open' },
  help: { zh: '到时后须重新说明原因', en: 'After that a reason is asked for again' },
})

/** Keeps who looked, in the transaction that shows it: what cannot be written down is not shown. */
export const openingsLog: SlotValue<typeof openings> = {
  note: async (db, { services, caller, request }, { family, rowId, title, fields, reason }) => {
    const until = new Date(services.now().getTime() + (await paramNumber(services, OPEN_MINUTES)) * 60_000)
    await db.insert(personalOpening, {
      userId: caller.userId,
      account: caller.account,
      family,
      rowId,
      rowTitle: title.slice(0, 200),
      shown: [...fields],
      reason,
      untilTime: shanghaiText(until),
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
  /** Families and fields by the words people know them by. */
  present: (wire, rows, { services, lang }) => {
    for (const [at, row] of wire.entries()) {
      const resource = services.registry.served.get(String(rows[at]!.family))?.resource
      if (resource) {
        const fields = resource.fields as Record<string, Field>
        row.family = say(resource.label, lang)
        row.shown = (rows[at]!.shown ?? []).map((key) => (fields[key] ? say(fields[key].label, lang) : key)).join()
      }
      row.reason = systemWordsIn(String(row.reason ?? ''), lang)
    }
  },
})
