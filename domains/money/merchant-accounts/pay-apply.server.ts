import { serve, invalidField, type Call } from '#kit/server/module.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import { wechatAccount } from '#domains/money/wechat-pay/api.ts'
import { Refused } from '#kit/server/refused.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { secretsOf } from '#domains/platform/files/api.ts'
import { applyLater, askStatusLater } from './apply.job.ts'
import { PICTURES, SEALED, SEALED_KEYS } from './apply-fields.ts'
import type { Apply } from './apply-form.ts'
import { APPLY_STEPS } from './apply-faults.ts'
import { requireFlawless } from './apply-look.ts'
import { APPLY, APPLY_OPEN } from './dictionaries.ts'
import { ofOwnMerchant } from './merchants.server.ts'
import { payApply } from './pay-apply.resource.ts'

/** Nothing of an application is changed while somebody looks at it at the platform. */
function requireOpen(row: Apply, call: Call): void {
  if (!APPLY_OPEN.includes(row.status as 'draft')) refuseAsItIs(row, call)
}

function refuseAsItIs(row: Apply, call: Call): never {
  const status = call.services.labels
    .entries(call.db.tenantId, 'pay_apply_status', call.lang)
    .find(({ key }) => key === row.status)?.label
  throw new Refused('apply_not_editable', { status: status ?? row.status })
}

/** What people can read again beside a refusal: what was written, without pictures and sealed numbers. */
function textsOf(row: Apply): Record<string, string> {
  const apart = new Set<string>([...SEALED_KEYS, ...PICTURES])
  return Object.fromEntries(
    APPLY_STEPS.flatMap(({ fields }) => fields).flatMap((key) => {
      const value: unknown = row[key]
      return typeof value === 'string' && value && !apart.has(key) ? [[key, value]] : []
    }),
  )
}

const VOID_AGAIN = /_r(\d{1,3})$/

/** A number that became void is never used again. */
const nextCode = (code: string) => `${code.replace(VOID_AGAIN, '')}_r${Number(VOID_AGAIN.exec(code)?.[1] ?? 1) + 1}`

/** What the platform will ask for in the end; a draft may still lack it, and is told on the page. */
export const payApplyServer = serve(payApply, {
  where: (call) => ofOwnMerchant(call),
  beforeSave: (draft, was, call) => {
    if (was) requireOpen(was, call)
    for (const key of SEALED_KEYS) {
      const given = draft[key]
      if (given) {
        draft[SEALED[key]] = `**** ${given.slice(-4)}`
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
    for (const row of rows) if (row.status !== APPLY.draft && row.status !== APPLY.cancelled) refuseAsItIs(row, call)
  },
  actions: {
    apply: async (row, _none, call) => {
      await requireFlawless(call.services, row)
      if (!(await wechatAccount(call.services, call.db))) throw new Refused('pay_account_missing')
      const businessCode = row.status === APPLY.cancelled ? nextCode(row.businessCode!) : row.businessCode
      const asked = {
        status: APPLY.submitting,
        businessCode,
        sentTime: null,
        askedTime: null,
        stateMsg: null,
        sentValues: textsOf(row),
      }
      const now = await call.db.update(payApply, row.id, asked)
      await applyLater(call.db, row.id)
      publishChanged(call, payApply, [now])
      return { id: row.id, status: now.status }
    },
    applystatus: async (row, _none, { db }) => {
      await askStatusLater(db, row)
      const { id, status, stateMsg, signUrl, subMchid, auditDetail } = row
      return { id, status, stateMsg, signUrl, subMchid, auditDetail }
    },
  },
})
