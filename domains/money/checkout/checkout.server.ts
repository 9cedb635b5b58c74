import { shoppingOrder } from '#domains/sales/orders/index.ts'
import { shoppingOrderServer } from '#domains/sales/orders/api.ts'
import { requestMoneyMove } from '#domains/money/payment-channels/api.ts'
import { findWechatAccount, createWechatPay } from '#domains/money/wechat-pay/api.ts'
import { f } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { actorOfCaller } from '#kit/server/request/pipeline.ts'
import { inTenantOf } from '#kit/server/resource/remove-of.ts'
import { rejectManualCreate } from '#kit/server/resource/read-only-fields.ts'
import { lockVisibleRow, publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { payAttemptNativeCall, orderToPayField } from './checkout.calls.ts'
import { enqueueUnmatchedRefund, enqueueStatusCheckNow } from './enqueue-attempt.ts'
import { cancelAttempt } from './create-attempt.ts'
import { UNMATCHED_REFUND_STATE, WECHAT_PAY_MODE, type WechatPayMode } from './dictionaries.ts'
import { requestPayment, paymentStatusOf } from './outcome.ts'
import { payAttempt } from './pay-attempt.resource.ts'

/** Kind of the money move for such a refund while it waits for a second approval. */
export const OVERPAYMENT_REFUND = 'overpaid'

/** Retries the refund of a payment no order accepted; refused unless the refund has failed. */
export async function retryUnmatchedRefund({ db }: Pick<Call, 'db'>, id: string): Promise<void> {
  const row = await db.get(payAttempt, id, 'forUpdate')
  if (row?.backState !== UNMATCHED_REFUND_STATE.failed) throw new Refused('changed_meanwhile')
  publishRowsChanged({ db }, payAttempt, [await db.update(payAttempt, id, { backState: UNMATCHED_REFUND_STATE.asked })])
  await enqueueUnmatchedRefund(db, id)
}

export const payAttemptServer = serve(payAttempt, {
  beforeSave: (_draft, was) => rejectManualCreate(payAttempt, was),
  present: (wire, _rows, { lang }) => {
    for (const key of ['note', 'backNote']) translateSystemTextField(wire, key, lang)
  },
  actions: {
    look: async (row, _none, { db }) => enqueueStatusCheckNow(db, row.id),
    close: async (row, _none, { db }) => cancelAttempt(db, row),
    // The first refund is automatic; a retry is made by a person and may need a second approval.
    giveBackAgain: (row, _none, call) => {
      const { id, payNo, orderId, shopId, amount } = row
      const subject = { subjectKey: id, subjectNo: payNo!, orderId, shopId, amount: amount! }
      return requestMoneyMove(call, { kind: OVERPAYMENT_REFUND, ...subject })
    },
  },
})

/** Requests the payment of an order the caller may see, in the order's tenant. */
async function requestOrderPayment(call: Call<{ orderId: string }>, mode: WechatPayMode, openid?: string) {
  const { caller, services } = call
  const { orderId } = call.input
  const lockOrder = (own: Db) =>
    inTenantOf({ ...call, db: own }, shoppingOrder, orderId, (db) =>
      lockVisibleRow(shoppingOrderServer, { ...call, db }, orderId),
    )
  const { tenantId } = await services.unit({ tenantId: caller.tenantId }, lockOrder, actorOfCaller(caller))
  return requestPayment(services, tenantId, { orderId, way: mode, openid })
}

export const checkoutRoutes = [
  defineRoute(payAttemptNativeCall, {
    title: { zh: '生成付款二维码', en: 'Create payment QR code' },
    can: 'payAttempt_ask',
    tx: false,
    handle: async (call) =>
      paymentStatusOf(call.services, await requestOrderPayment(call, WECHAT_PAY_MODE.native), call.lang),
  }),
  defineRoute({
    method: 'POST',
    path: `${payAttempt.path}/jsapi`,
    title: { zh: '小程序下单支付', en: 'Start mini program payment' },
    can: 'payAttempt_ask',
    tx: false,
    input: {
      orderId: orderToPayField,
      openid: f.text({
        label: { zh: '顾客 openid', en: 'Customer openid' },
        required: true,
        max: 64,
        pattern: '^[\\w-]{6,64}$',
        sample: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o',
      }),
    },
    handle: async (call) => {
      const attempt = await requestOrderPayment(call, WECHAT_PAY_MODE.jsapi, call.input.openid)
      const { tenantId, prepayNo } = attempt
      const account = await call.services.unit({ tenantId }, (db) => findWechatAccount(call.services, db))
      const invoke =
        account && prepayNo ? createWechatPay(call.services, account).invoke(account.appid, prepayNo) : null
      return { ...(await paymentStatusOf(call.services, attempt, call.lang)), invoke }
    },
  }),
]
