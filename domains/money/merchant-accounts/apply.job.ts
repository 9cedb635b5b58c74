import { VendorError } from '#domains/platform/external-apis/api.ts'
import { readStoredFile, findTenantFileByLink, secretCipherOf } from '#domains/platform/files/api.ts'
import {
  findWechatAccount,
  createWechatPay,
  type ApplymentState,
  type WechatPay,
} from '#domains/money/wechat-pay/api.ts'
import type { UpdateOf } from '#kit/resource/index.ts'
import { sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { transition } from '#kit/server/resource/transition.ts'
import { findWechatBankName } from './bank-lists.server.ts'
import {
  findApplyField,
  toWechatApplyForm,
  applyPicturesOf,
  toApplyRejectReasons,
  type PayApplyRow,
  type ApplyRejectReason,
} from './apply-form.ts'
import { APPLY_STATE, EDITABLE_APPLY_STATES, PENDING_APPLY_STATES } from './dictionaries.ts'
import { merchantInfo } from './merchant-info.resource.ts'
import { payApply } from './pay-apply.resource.ts'

const ATTEMPTS_MAX = 60
const applyQueue = defineQueue<{ id: string }>('pay.apply', { maxAttempts: ATTEMPTS_MAX })
const applyStatusQueue = defineQueue<{ id: string }>('pay.applystatus', { maxAttempts: 3 })
const PICTURE_TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  bmp: 'image/bmp',
}

const STATES: Partial<Record<string, Exclude<keyof typeof APPLY_STATE, 'draft' | 'submitting'>>> = {
  APPLYMENT_STATE_EDITTING: APPLY_STATE.submitFailed,
  APPLYMENT_STATE_AUDITING: APPLY_STATE.auditing,
  APPLYMENT_STATE_REJECTED: APPLY_STATE.rejected,
  APPLYMENT_STATE_TO_BE_CONFIRMED: APPLY_STATE.toVerify,
  APPLYMENT_STATE_TO_BE_SIGNED: APPLY_STATE.toSign,
  APPLYMENT_STATE_SIGNING: APPLY_STATE.signing,
  APPLYMENT_STATE_FINISHED: APPLY_STATE.finished,
  APPLYMENT_STATE_CANCELED: APPLY_STATE.cancelled,
}

/**
 * Thrown for a picture that cannot be uploaded. The application fails with a reason at that field and is not retried.
 */
class UnreadablePicture extends Error {
  readonly reason: ApplyRejectReason
  constructor(field: string) {
    super(field)
    const { label } = payApply.fields[field as keyof typeof payApply.fields]
    this.reason = { field, field_name: label.zh, reject_reason: '图片应为 JPG、PNG 或 BMP' }
  }
}

/**
 * Condition on a locked application: state, sending time and number are those it was read with. An answer to an earlier
 * submission must not change a new one.
 */
const isUnchangedSql = ({ status, sentTime, businessCode }: PayApplyRow): Sql =>
  sql`was.status = ${status} and was.sent_time is not distinct from ${sentTime}::timestamptz
    and was.business_code is not distinct from ${businessCode}`

/**
 * Applies WeChat Pay's state of an application. A finished one gives its merchant the sub-merchant number, unless the
 * merchant already has one.
 */
async function applyPlatformStatus(
  db: Db,
  services: Services,
  was: PayApplyRow,
  applyment: ApplymentState,
): Promise<void> {
  const now = formatShanghaiTime(services.now())
  const status = STATES[applyment.applyment_state]
  const isDone = status === APPLY_STATE.finished
  const patch = {
    askedTime: now,
    stateMsg: applyment.applyment_state_msg?.slice(0, 500) ?? null,
    applymentNo: String(applyment.applyment_id),
    signUrl: status === APPLY_STATE.toSign || status === APPLY_STATE.toVerify ? (applyment.sign_url ?? null) : null,
    auditDetail: toApplyRejectReasons(applyment.audit_detail),
    ...(applyment.sub_mchid && { subMchid: applyment.sub_mchid }),
    ...(isDone && { finishTime: now }),
  }
  // An unknown answer leaves the state.
  const to = status ?? PENDING_APPLY_STATES.find((state) => state === was.status) ?? APPLY_STATE.submitting
  const row = await transition(db, payApply, was.id, 'follow', patch, { to, when: isUnchangedSql(was) })
  if (!row || !isDone || !applyment.sub_mchid) return
  const merchant = await db.get(merchantInfo, row.merchantId, 'forUpdate')
  if (!merchant || merchant.subMchid) return
  publishRowsChanged({ db }, merchantInfo, [
    await db.update(merchantInfo, merchant.id, { subMchid: applyment.sub_mchid }),
  ])
}

/** Uploads the pictures of an application; returns their WeChat Pay ids by link. */
async function upload(services: Services, pay: WechatPay, row: PayApplyRow): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  for (const { field, link } of applyPicturesOf(row)) {
    if (known.has(link)) continue
    const file = await findTenantFileByLink(services, row.tenantId, link)
    const type = file && PICTURE_TYPES[file.extension.replace('.', '').toLowerCase()]
    const bytes = file && type ? await readStoredFile(services, file) : undefined
    if (!bytes) throw new UnreadablePicture(field)
    const name = `${row.id}-${known.size + 1}.${file!.extension.replace('.', '').toLowerCase()}`
    known.set(link, await pay.upload({ name, type: type!, bytes }))
  }
  return known
}

/** Returns the application's state at WeChat Pay after a lost answer; undefined if the submission did not arrive. */
async function findSubmittedState(pay: WechatPay, row: PayApplyRow): Promise<ApplymentState | undefined> {
  try {
    const applyment = await pay.applied(row.businessCode!)
    // Still the earlier state, so the new submission has not arrived.
    return EDITABLE_APPLY_STATES.includes(STATES[applyment.applyment_state] as 'draft') ? undefined : applyment
  } catch (error) {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  }
}

const failed = (message: string, reasons: ApplyRejectReason[] | null): UpdateOf<typeof payApply> => ({
  stateMsg: message.slice(0, 500),
  auditDetail: reasons,
})

/**
 * Returns the update for a refused submission or an unreadable picture: nothing was submitted. Throws other errors, so
 * that the job is retried.
 */
function refusalOf(error: unknown): UpdateOf<typeof payApply> {
  if (error instanceof UnreadablePicture) return failed(error.reason.reject_reason, [error.reason])
  if (!(error instanceof VendorError) || !error.isUndone || error.isRetryable) throw error
  const field = findApplyField(error.message)
  const named = field && payApply.fields[field].label.zh
  return failed(
    `${error.message} (${error.code})`,
    field ? [{ field, field_name: named!, reject_reason: error.message }] : null,
  )
}

/** Marks the application as sent before the call, so that after a crash the job first asks whether it arrived. */
const markSent = (services: Services, tenantId: string, id: string) =>
  services.unit({ tenantId }, async (db) => {
    const row = await db.get(payApply, id, 'forUpdate')
    const account = await findWechatAccount(services, db)
    if (row?.status !== APPLY_STATE.submitting || !account) return undefined
    const isAgain = Boolean(row.sentTime)
    const sent = isAgain ? row : await db.update(payApply, id, { sentTime: formatShanghaiTime(services.now()) })
    return { row: sent, account, isAgain }
  })

export const submitApplyJob = defineModuleJob({
  queue: applyQueue,
  concurrency: 2,
  timeoutSeconds: 300,
  backoffSeconds: (attempt) => Math.min(2 ** attempt, 600),
  run: async ({ id }, { tenantId, services }) => {
    const held = await markSent(services, tenantId, id)
    if (!held) return
    const pay = createWechatPay(services, held.account)
    const { open } = secretCipherOf(services)
    const when = isUnchangedSql(held.row)
    try {
      const applyment = held.isAgain ? await findSubmittedState(pay, held.row) : undefined
      if (applyment)
        return void (await services.unit({ tenantId }, (db) => applyPlatformStatus(db, services, held.row, applyment)))
      const media = await upload(services, pay, held.row)
      const form = toWechatApplyForm(
        held.row,
        (link) => (link ? media.get(link) : undefined),
        (sealed) => (sealed ? open(sealed) : undefined),
        await findWechatBankName(pay, held.row.bankAccountType, held.row.accountBank),
      )
      const { applyment_id } = await pay.apply(form)
      const patch = { applymentNo: String(applyment_id), stateMsg: null, auditDetail: null }
      await services.unit({ tenantId }, (db) => transition(db, payApply, id, 'submit', patch, { when }))
    } catch (error) {
      const patch = refusalOf(error)
      await services.unit({ tenantId }, (db) => transition(db, payApply, id, 'fail', patch, { when }))
    }
  },
})

/** Queues the submission of an application with the commit. */
export const enqueueApplySubmission = (db: Db, id: string): Promise<void> => db.enqueue(applyQueue, { id }, { key: id })

/** Queues a status query of an application; one that is being submitted is queued for submission again. */
export const enqueueApplyStatusCheck = (db: Db, { id, status }: Pick<PayApplyRow, 'id' | 'status'>): Promise<void> =>
  status === APPLY_STATE.submitting ? enqueueApplySubmission(db, id) : db.enqueue(applyStatusQueue, { id }, { key: id })

export const checkApplyStatusJob = defineModuleJob({
  queue: applyStatusQueue,
  concurrency: 2,
  run: async ({ id }, { tenantId, services }) => {
    const held = await services.unit({ tenantId }, async (db) => ({
      row: await db.get(payApply, id),
      account: await findWechatAccount(services, db),
    }))
    if (!held.account || !held.row || !PENDING_APPLY_STATES.includes(held.row.status as 'auditing')) return
    const { row, account } = held
    const applyment = await createWechatPay(services, account).applied(row.businessCode!)
    await services.unit({ tenantId }, (db) => applyPlatformStatus(db, services, row, applyment))
  },
})

/**
 * Queries applications under review, as WeChat Pay sends no webhook for them: every minute or two while being signed,
 * else every ten minutes.
 */
export const enqueueApplyStatusChecksJob = defineModuleJob({
  queue: defineQueue('pay.apply.sweep'),
  cron: '*/2 * * * *',
  run: async (_payload, { services }) => {
    const rows = await services.unit({ crossTenantReason: 'applications of all tenants that are under way' }, (db) =>
      db.query<{ id: string; tenantId: string; status: string }>(
        sql`select id, tenant_id, status from pay_apply where is_deleted = 0
          and status = any(${[...PENDING_APPLY_STATES, APPLY_STATE.submitting]}::text[])
          and (asked_time is null or asked_time < now() - case status
            when ${APPLY_STATE.signing} then interval '1 minute' else interval '9 minutes' end) limit 500`,
      ),
    )
    for (const row of rows) await services.unit({ tenantId: row.tenantId }, (db) => enqueueApplyStatusCheck(db, row))
  },
})
