import { formatYuan } from '#kit/fields/money/cents.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { visibleFields } from '#kit/server/database/data-scope.ts'
import { empty, readBatch, sql, type Db, type Sql } from '#kit/server/database/db.ts'
import { queryFilterSql } from '#kit/server/query/filters.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { inTenantOf } from '#kit/server/resource/remove-of.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { lockVisibleRow, handleSubmitCall } from '#kit/server/resource/submit-of.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { isEmptyInput } from '#kit/fields/base/field-kind.ts'
import { parseInput } from '#kit/server/request/parse-input.ts'
import { f, type Fields } from '#kit/resource/index.ts'
import { requireTransition } from '#kit/server/resource/transition.ts'
import { isPaidOnPlatform, REFUND_STATE } from './dictionaries.ts'
import { shoppingOrderServer } from './orders.server.ts'
import { createRefund, parseRefundLines, enqueueRefund, type Refund, type RefundInput } from './refund.ts'
import { loadDualApprovalThresholdCents } from '#domains/money/payment-channels/api.ts'
import { completeRefundByHand } from './hand-over-refund.ts'
import { requestRefundRedirect } from './redirect-refund.ts'
import {
  findRefundApprovalLimit,
  refundSignaturePatch,
  awaitingRefundApprovalSql,
  type RefundApprover,
} from './refund-approval.ts'
import { isRestockableRefundReason } from './refund-reasons.ts'
import { refundsLimitCall } from './refunds.calls.ts'
import { refunds } from './refunds.resource.ts'
import { shoppingOrder } from './shopping-order.resource.ts'

const signerOf = async ({ caller, db, services }: Call): Promise<RefundApprover> => ({
  userId: caller.userId,
  limit: await findRefundApprovalLimit(db, caller),
  at: formatShanghaiTime(services.now()),
})

const setParts = (db: Db, refundId: string, from: string, to: 'asked' | 'cancelled') =>
  db.run(
    sql`update refund_payment set state = ${to}, asked_time = ${to === 'asked' ? sql`now()` : sql`asked_time`}
      where tenant_id = ${db.tenantId} and refund_id = ${refundId} and state = ${from}`,
  )

/**
 * Undoes the cancelling of an order when its refund is rejected. That is the order's last refund, since nothing was
 * left to refund after it. Earlier refunds can no longer be rejected: the cancelling covered only the rest, so the
 * order would not be refunded as a whole.
 */
async function completeCancellation(db: Db, refund: Refund): Promise<void> {
  const order = (await db.get(shoppingOrder, refund.orderId, 'forUpdate'))!
  if (order.cancelReason === null) return
  const [own] = await db.find(
    refunds,
    sql`r.order_id = ${order.id} and r.status <> ${REFUND_STATE.rejected}`,
    sql`order by r.id desc limit 1`,
  )
  if (own!.id !== refund.id) throw new Refused('refund_of_cancelled', { refundNo: own!.refundNo })
  await db.update(shoppingOrder, order.id, { cancelReason: null })
}

const toResult = ({ id, refundNo, status }: Refund) => ({ id, refundNo, status })

export const refundsServer = serve(refunds, {
  // Creating a refund works on an order, so it has its own route below.
  without: ['submit'],
  where: ({ caller, query }) => (query.sign === 'mine' ? awaitingRefundApprovalSql(caller) : empty),
  beforeSave: (_draft, was) => rejectManualCreate(refunds, was),
  present: (wire, _rows, { lang }) => {
    for (const key of ['channelNote', 'failReason']) translateSystemTextField(wire, key, lang)
  },
  actions: {
    approve: async (refund, input, call) => {
      const { status, ...patch } = refundSignaturePatch(refund, await signerOf(call), input.auditRemark)
      const to = status === REFUND_STATE.approved ? 'approved' : 'applied'
      if (to === 'approved') {
        await setParts(call.db, refund.id, 'waiting', 'asked')
        await enqueueRefund(call.db, refund.id)
      }
      return toResult(await requireTransition(call, refunds, refund.id, 'approve', patch, { to }))
    },
    reject: async (refund, input, call) => {
      await completeCancellation(call.db, refund)
      await setParts(call.db, refund.id, 'waiting', 'cancelled')
      const by = { user: call.caller.userId, at: formatShanghaiTime(call.services.now()), remark: input.auditRemark }
      const patch = refund.auditUser
        ? { secondUser: by.user, secondTime: by.at, secondRemark: by.remark }
        : { auditUser: by.user, auditTime: by.at, auditRemark: by.remark }
      return toResult(await requireTransition(call, refunds, refund.id, 'reject', patch))
    },
    redirect: (refund, input, call) => requestRefundRedirect(refund, input, call),
    handOver: async (refund, { handedHow }, call) => toResult(await completeRefundByHand(call, refund, handedHow)),
    retry: async (refund, _input, call) => {
      await setParts(call.db, refund.id, 'failed', 'asked')
      await enqueueRefund(call.db, refund.id)
      return toResult(await requireTransition(call, refunds, refund.id, 'retry', { failReason: null }))
    },
  },
})

const { orderId, reason, pictures, restock, remark } = refunds.fields
/** Input of the refund dialog; also used in the OpenAPI document. */
const refundInput = {
  orderId,
  reason,
  pictures,
  restock,
  remark,
  lines: f.json({
    label: refunds.fields.lines.label,
    requiredWhen: { full: { ne: true } },
    help: {
      zh: '[{detailId, quantity, amount?}]，金额为元；不填金额按实付比例计算',
      en: '[{detailId, quantity, amount?}], amount in CNY. Without it, in proportion to what was paid.',
    },
  }),
  full: f.boolean({ label: { zh: '整单退款', en: 'Full refund' }, default: false }),
  requestKey: f.text({
    label: { zh: '请求标识', en: 'Request key' },
    max: 64,
    help: { zh: '同一标识重复提交只退一次', en: 'Requests with the same key refund only once' },
  }),
} satisfies Fields

async function requestRefund(call: Call<any>, isApproved: boolean): Promise<Record<string, unknown>> {
  const input = call.input as {
    orderId: string
    full: boolean | null
    lines: unknown
    reason: string
    pictures: string[] | null
    restock: boolean | null
    remark: string | null
    requestKey: string | null
  }
  const lines = parseRefundLines(input.lines)
  if (input.full && lines.length) throw new Refused('refund_all_or_lines')
  const request: RefundInput = {
    lines,
    full: input.full === true,
    reason: input.reason,
    pictures: input.pictures,
    restock: input.restock ?? isRestockableRefundReason(input.reason),
    remark: input.remark,
    requestKey: input.requestKey,
  }
  return inTenantOf(call, shoppingOrder, input.orderId, async (db) => {
    const order = await lockVisibleRow(shoppingOrderServer, { ...call, db }, input.orderId)
    if (isPaidOnPlatform(order)) throw new Refused('refund_there')
    const { refund, isNew } = await createRefund(db, order, request, {
      secondAbove: await loadDualApprovalThresholdCents(call.services),
      signer: isApproved ? await signerOf({ ...call, db }) : undefined,
    })
    return {
      id: refund.id,
      refundNo: refund.refundNo,
      status: refund.status,
      amount: formatYuan(refund.amount ?? 0),
      repeated: !isNew,
    }
  })
}

/**
 * Number and sum of the refunds that match the list's filters: those the caller may approve, all waiting ones, and
 * failed ones.
 */
async function sumOfFound(call: Call): Promise<Record<string, { count: number; amount: string }>> {
  const { caller, query } = call
  const seen = visibleFields(refunds, caller)
  if (seen && !seen.has('amount')) throw new Refused('forbidden')
  const among = (condition: Sql) =>
    sql`count(*) filter (where true ${condition})::int, coalesce(sum(r.amount)
      filter (where true ${condition}), 0)::float8`
  const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
    sql`select array[${among(awaitingRefundApprovalSql(caller))}]::float8[] as mine,
      array[${among(sql`and r.status = ${REFUND_STATE.applied}`)}]::float8[] as waiting,
      array[${among(sql`and r.status =
        ${REFUND_STATE.failed}`)}]::float8[] as failed ${visibleRowsSql(refundsServer, call)}${queryFilterSql(
        refunds,
        query,
        caller,
      )}`,
  ])
  return Object.fromEntries(
    Object.entries(rows![0] as Record<string, [number, number]>).map(([key, [count, cents]]) => [
      key,
      { count, amount: formatYuan(cents) },
    ]),
  )
}

export const refundRoutes = [
  defineRoute({
    method: 'POST',
    path: '/api/shop/refunds/submit',
    title: { zh: '申请退款', en: 'Request refund' },
    can: ['refunds_add', 'refunds_edit'],
    handle: (call) => {
      const body = (call.body ?? {}) as Record<string, unknown>
      if (typeof body !== 'object' || Array.isArray(body)) throw new Refused('bad_body')
      // With an id it is the note on an existing one; everything else there is written by the system.
      if (!isEmptyInput(body.id) && String(body.id) !== '-1') return handleSubmitCall(refundsServer, call)
      if (!hasPermission(call.caller, 'refunds_add')) throw new Refused('forbidden')
      return requestRefund({ ...call, input: parseInput(refundInput, body) }, false)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/shop/refunds/now',
    title: { zh: '立即退款', en: 'Refund now' },
    can: 'refunds_approve',
    input: refundInput,
    handle: (call) => requestRefund(call, true),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/shop/refunds/sum',
    title: { zh: '退款合计', en: 'Refund totals' },
    can: 'refunds',
    tx: false,
    handle: (call) => sumOfFound(call),
  }),
  defineRoute(refundsLimitCall, {
    title: { zh: '我的审核额度', en: 'My approval limit' },
    can: 'refunds',
    handle: async ({ caller, db, services }) => {
      const limit = await findRefundApprovalLimit(db, caller)
      return {
        userId: caller.userId,
        limit: Number.isFinite(limit) ? formatYuan(limit) : '',
        secondAbove: formatYuan(await loadDualApprovalThresholdCents(services)),
      }
    },
  }),
]
