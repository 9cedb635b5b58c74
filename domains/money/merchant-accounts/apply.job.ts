import { VendorError } from '#domains/platform/external-apis/api.ts'
import { bytesOf, fileOfLink, secretsOf } from '#domains/platform/files/api.ts'
import { wechatAccount, wechatPay, type AppliedState, type WechatPay } from '#domains/money/wechat-pay/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineModuleJob } from '#kit/server/module.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { bankThere } from './bank-lists.server.ts'
import { fieldIn, formOf, picturesOf, reasonsOf, type Apply, type Reason } from './apply-form.ts'
import { APPLY, APPLY_OPEN, APPLY_UNDER_WAY } from './dictionaries.ts'
import { merchantInfo } from './merchant-info.resource.ts'
import { payApply } from './pay-apply.resource.ts'

const APPLY_QUEUE = 'pay.apply'
const STATUS_QUEUE = 'pay.applystatus'
const ATTEMPTS_MAX = 60
const PICTURE_TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  bmp: 'image/bmp',
}

const STATES: Record<string, string> = {
  APPLYMENT_STATE_EDITTING: APPLY.submitFailed,
  APPLYMENT_STATE_AUDITING: APPLY.auditing,
  APPLYMENT_STATE_REJECTED: APPLY.rejected,
  APPLYMENT_STATE_TO_BE_CONFIRMED: APPLY.toVerify,
  APPLYMENT_STATE_TO_BE_SIGNED: APPLY.toSign,
  APPLYMENT_STATE_SIGNING: APPLY.signing,
  APPLYMENT_STATE_FINISHED: APPLY.finished,
  APPLYMENT_STATE_CANCELED: APPLY.cancelled,
}

/** A picture the platform cannot be given: said at its field, not asked again. */
class UnreadablePicture extends Error {
  readonly reason: Reason
  constructor(field: string) {
    super(field)
    const { label } = payApply.fields[field as keyof typeof payApply.fields]
    this.reason = { field, field_name: label.zh, reject_reason: '图片应为 JPG、PNG 或 BMP' }
  }
}

/**
 * Writes what is known now, where somebody is still waiting for it and nothing was written since it was asked: an
 * answer of before says nothing of what was handed in anew.
 */
async function transitionApplication(db: Db, was: Apply, to: Partial<Apply>): Promise<Apply | undefined> {
  const { id } = was
  const row = await db.get(payApply, id, 'forUpdate')
  const isSame = row?.status === was.status && row?.sentTime === was.sentTime && row?.businessCode === was.businessCode
  if (!row || !isSame) return undefined
  const now = await db.update(payApply, id, to)
  publishChanged({ db }, payApply, [now])
  return now
}

/** What the platform says of an application; one that is finished gives its merchant the number. */
async function applyPlatformStatus(db: Db, services: Services, was: Apply, said: AppliedState): Promise<void> {
  const now = shanghaiText(services.now())
  const status = STATES[said.applyment_state]
  const isDone = status === APPLY.finished
  const row = await transitionApplication(db, was, {
    askedTime: now,
    ...(status && { status }),
    stateMsg: said.applyment_state_msg?.slice(0, 500) ?? null,
    applymentNo: String(said.applyment_id),
    signUrl: status === APPLY.toSign || status === APPLY.toVerify ? (said.sign_url ?? null) : null,
    auditDetail: reasonsOf(said.audit_detail),
    ...(said.sub_mchid && { subMchid: said.sub_mchid }),
    ...(isDone && { finishTime: now }),
  })
  if (!row || !isDone || !said.sub_mchid) return
  const merchant = await db.get(merchantInfo, row.merchantId, 'forUpdate')
  if (!merchant || merchant.subMchid) return
  publishChanged({ db }, merchantInfo, [await db.update(merchantInfo, merchant.id, { subMchid: said.sub_mchid })])
}

/** The numbers the platform knows the pictures by, by their links. */
async function upload(services: Services, pay: WechatPay, row: Apply): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  for (const { field, link } of picturesOf(row)) {
    if (known.has(link)) continue
    const file = await fileOfLink(services, row.tenantId, link)
    const type = file && PICTURE_TYPES[file.extension.replace('.', '').toLowerCase()]
    const bytes = file && type ? await bytesOf(services, file) : undefined
    if (!bytes) throw new UnreadablePicture(field)
    const name = `${row.id}-${known.size + 1}.${file!.extension.replace('.', '').toLowerCase()}`
    known.set(link, await pay.upload({ name, type: type!, bytes }))
  }
  return known
}

/** Whether the platform has taken in what was sent before nobody heard the answer. */
async function heardOf(pay: WechatPay, row: Apply): Promise<AppliedState | undefined> {
  try {
    const said = await pay.applied(row.businessCode!)
    // As it was before: what was sent since has not arrived.
    return APPLY_OPEN.includes(STATES[said.applyment_state] as 'draft') ? undefined : said
  } catch (error) {
    if (error instanceof VendorError && error.httpStatus === 404) return undefined
    throw error
  }
}

const failed = (message: string, reasons: Reason[] | null): Partial<Apply> => ({
  status: APPLY.submitFailed,
  stateMsg: message.slice(0, 500),
  auditDetail: reasons,
})

/** What a refusal of the platform's, or a picture, says: nothing was handed in. Else it is asked about again. */
function refusalOf(error: unknown): Partial<Apply> {
  if (error instanceof UnreadablePicture) return failed(error.reason.reject_reason, [error.reason])
  if (!(error instanceof VendorError) || !error.isUndone || error.isRetryable) throw error
  const field = fieldIn(error.message)
  const named = field && payApply.fields[field].label.zh
  return failed(
    `${error.message} (${error.code})`,
    field ? [{ field, field_name: named!, reject_reason: error.message }] : null,
  )
}

/** Says before it is sent that it is: whoever comes after a crash asks first whether it has arrived. */
const markSent = (services: Services, tenantId: string, id: string) =>
  services.unit({ tenantId }, async (db) => {
    const row = await db.get(payApply, id, 'forUpdate')
    const account = await wechatAccount(services, db)
    if (row?.status !== APPLY.submitting || !account) return undefined
    const isAgain = Boolean(row.sentTime)
    const sent = isAgain ? row : await db.update(payApply, id, { sentTime: shanghaiText(services.now()) })
    return { row: sent, account, isAgain }
  })

export const applyJob = defineModuleJob<{ id: string }>({
  queue: APPLY_QUEUE,
  concurrency: 2,
  timeoutSeconds: 300,
  backoffSeconds: (attempt) => Math.min(2 ** attempt, 600),
  run: async ({ id }, { tenantId, services }) => {
    const held = await markSent(services, tenantId, id)
    if (!held) return
    const pay = wechatPay(services, held.account)
    const { open } = secretsOf(services)
    try {
      const heard = held.isAgain ? await heardOf(pay, held.row) : undefined
      if (heard)
        return void (await services.unit({ tenantId }, (db) => applyPlatformStatus(db, services, held.row, heard)))
      const media = await upload(services, pay, held.row)
      const form = formOf(
        held.row,
        (link) => (link ? media.get(link) : undefined),
        (sealed) => (sealed ? open(sealed) : undefined),
        await bankThere(pay, held.row.bankAccountType, held.row.accountBank),
      )
      const { applyment_id } = await pay.apply(form)
      const to = { status: APPLY.auditing, applymentNo: String(applyment_id), stateMsg: null, auditDetail: null }
      await services.unit({ tenantId }, (db) => transitionApplication(db, held.row, to))
    } catch (error) {
      const to = refusalOf(error)
      await services.unit({ tenantId }, (db) => transitionApplication(db, held.row, to))
    }
  },
})

/** Hands an application in, with the commit of who wants it. */
export const applyLater = (db: Db, id: string): Promise<void> =>
  db.enqueue(APPLY_QUEUE, { id }, { key: id, maxAttempts: ATTEMPTS_MAX })

/** Asks how an application stands, soon; one that is being handed in goes on being. */
export const askStatusLater = (db: Db, { id, status }: Pick<Apply, 'id' | 'status'>): Promise<void> =>
  status === APPLY.submitting ? applyLater(db, id) : db.enqueue(STATUS_QUEUE, { id }, { key: id, maxAttempts: 3 })

export const applyStatusJob = defineModuleJob<{ id: string }>({
  queue: STATUS_QUEUE,
  concurrency: 2,
  run: async ({ id }, { tenantId, services }) => {
    const held = await services.unit({ tenantId }, async (db) => ({
      row: await db.get(payApply, id),
      account: await wechatAccount(services, db),
    }))
    if (!held.account || !held.row || !APPLY_UNDER_WAY.includes(held.row.status as 'auditing')) return
    const { row, account } = held
    const said = await wechatPay(services, account).applied(row.businessCode!)
    await services.unit({ tenantId }, (db) => applyPlatformStatus(db, services, row, said))
  },
})

/** The platform tells nobody how an application goes on: those under way are asked about, the nearer the oftener. */
export const applySweepJob = defineModuleJob({
  queue: 'pay.apply.sweep',
  cron: '*/2 * * * *',
  run: async (_payload, { services }) => {
    const rows = await services.unit({ crossTenantReason: 'applications of all tenants that are under way' }, (db) =>
      db.query<{ id: string; tenantId: string; status: string }>(
        sql`select id, tenant_id, status from pay_apply where is_deleted = 0
          and status = any(${[...APPLY_UNDER_WAY, APPLY.submitting]}::text[])
          and (asked_time is null or asked_time < now() - case status
            when ${APPLY.signing} then interval '1 minute' else interval '9 minutes' end) limit 500`,
      ),
    )
    for (const row of rows) await services.unit({ tenantId: row.tenantId }, (db) => askStatusLater(db, row))
  },
})
