import { serve, invalidField } from '#kit/server/room.ts'
import { Refused } from '#kit/server/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { secretsOf } from '#domains/files/doors.ts'
import { APPLY } from './dictionaries.ts'
import { ofOwnMerchant } from './merchants.server.ts'
import { payApply } from './pay-apply.resource.ts'

/** Sealed numbers, each with the field that shows its last four characters. */
const SEALED = { contactIdNumber: 'contactIdTail', idCardNumber: 'idCardTail', accountNumber: 'accountTail' } as const

/** What the platform will ask for in the end; a draft may still lack it, and is told on the page. */
export const payApplyServer = serve(payApply, {
  where: (call) => ofOwnMerchant(call),
  beforeSave: (draft, was, call) => {
    if (was && was.status !== APPLY.draft && was.status !== APPLY.rejected)
      throw new Refused('apply_not_editable', {
        status:
          call.services.labels
            .entries(call.db.tenantId, 'pay_apply_status', call.lang)
            .find(({ key }) => key === was.status)?.label ?? was.status,
      })
    for (const [key, tail] of Object.entries(SEALED) as [keyof typeof SEALED, (typeof SEALED)[keyof typeof SEALED]][]) {
      const given = draft[key]
      if (given) {
        draft[tail] = `**** ${given.slice(-4)}`
        draft[key] = secretsOf(call.services).seal(given)
      } else if (was) {
        // Never shown, so an empty one means unchanged.
        delete draft[key]
      }
    }
    const kind = draft.subjectType ?? was?.subjectType
    if ((draft.bankAccountType ?? was?.bankAccountType) === 'personal' && kind !== 'individual')
      throw invalidField(payApply, 'bankAccountType', 'not_a_choice')
    // The platform finds an application again by this number alone: it is given once and stays through refusals.
    if (!was) draft.businessCode = `APPLY_${newId()}`
  },
  beforeRemove: (rows, call) => {
    const sent = rows.find((row) => row.status !== APPLY.draft)
    if (sent)
      throw new Refused('apply_not_editable', {
        status:
          call.services.labels
            .entries(call.db.tenantId, 'pay_apply_status', call.lang)
            .find(({ key }) => key === sent.status)?.label ?? sent.status,
      })
  },
})
