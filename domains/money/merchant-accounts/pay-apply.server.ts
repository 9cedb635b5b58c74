import { serve, invalidFieldRefusal, type Call } from '#kit/server/module/module.ts'
import { findWechatAccount } from '#domains/money/wechat-pay/api.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { enqueueApplySubmission, enqueueApplyStatusCheck } from './apply.job.ts'
import { APPLY_PICTURE_FIELDS, SEALED_APPLY_FIELDS, SEALED_APPLY_FIELD_KEYS } from './apply-fields.ts'
import type { PayApplyRow } from './apply-form.ts'
import { APPLY_STEPS } from './apply-faults.ts'
import { requireFaultlessApply } from './check-apply.ts'
import { APPLY_STATE, EDITABLE_APPLY_STATES } from './dictionaries.ts'
import { visibleMerchantsSql } from './merchants.server.ts'
import { payApply } from './pay-apply.resource.ts'

/** Refuses changes of an application WeChat Pay is reviewing. */
function requireOpen(row: PayApplyRow, call: Call): void {
  if (!EDITABLE_APPLY_STATES.includes(row.status as 'draft')) refuseAsItIs(row, call)
}

function refuseAsItIs(row: PayApplyRow, call: Call): never {
  const status = call.services.labels
    .entries(call.db.tenantId, 'pay_apply_status', call.lang)
    .find(({ key }) => key === row.status)?.label
  throw new Refused('apply_not_editable', { status: status ?? row.status })
}

/** Texts of a submitted application, kept to show beside a rejection; without pictures and encrypted numbers. */
function textsOf(row: PayApplyRow): Record<string, string> {
  const apart = new Set<string>([...SEALED_APPLY_FIELD_KEYS, ...APPLY_PICTURE_FIELDS])
  return Object.fromEntries(
    APPLY_STEPS.flatMap(({ fields }) => fields).flatMap((key) => {
      const value: unknown = row[key]
      return typeof value === 'string' && value && !apart.has(key) ? [[key, value]] : []
    }),
  )
}

const VOID_AGAIN = /_r(\d{1,3})$/

/** Next application number after a cancelled one, which cannot be reused. */
const nextCode = (code: string) => `${code.replace(VOID_AGAIN, '')}_r${Number(VOID_AGAIN.exec(code)?.[1] ?? 1) + 1}`

/** The required fields of WeChat Pay are not enforced on save: a draft may lack them, and the page shows which. */
export const payApplyServer = serve(payApply, {
  where: (call) => visibleMerchantsSql(call),
  beforeSave: (draft, was, call) => {
    if (was) requireOpen(was, call)
    for (const key of SEALED_APPLY_FIELD_KEYS) {
      const given = draft[key]
      if (given) {
        draft[SEALED_APPLY_FIELDS[key]] = `**** ${given.slice(-4)}`
        draft[key] = secretCipherOf(call.services).seal(given)
      } else if (was) {
        // The number is never sent to the browser, so an empty one means unchanged.
        delete draft[key]
      }
    }
    const kind = draft.subjectType ?? was?.subjectType
    if ((draft.bankAccountType ?? was?.bankAccountType) === 'personal' && kind !== 'individual')
      throw invalidFieldRefusal(payApply, 'bankAccountType', 'not_a_choice')
    // WeChat Pay finds an application only by this number, so it is set once and kept through rejections.
    if (!was) draft.businessCode = `APPLY_${newId()}`
  },
  beforeRemove: (rows, call) => {
    for (const row of rows)
      if (row.status !== APPLY_STATE.draft && row.status !== APPLY_STATE.cancelled) refuseAsItIs(row, call)
  },
  actions: {
    apply: async (row, _none, call) => {
      await requireFaultlessApply(call.services, row)
      if (!(await findWechatAccount(call.services, call.db))) throw new Refused('pay_account_missing')
      const businessCode = row.status === APPLY_STATE.cancelled ? nextCode(row.businessCode!) : row.businessCode
      const submission = {
        businessCode,
        sentTime: null,
        askedTime: null,
        stateMsg: null,
        sentValues: textsOf(row),
      }
      const now = await requireTransition(call, payApply, row.id, 'apply', submission)
      await enqueueApplySubmission(call.db, row.id)
      return { id: row.id, status: now.status }
    },
    applystatus: async (row, _none, { db }) => {
      await enqueueApplyStatusCheck(db, row)
      const { id, status, stateMsg, signUrl, subMchid, auditDetail } = row
      return { id, status, stateMsg, signUrl, subMchid, auditDetail }
    },
  },
})
