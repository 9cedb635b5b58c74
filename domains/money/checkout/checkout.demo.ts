import { shareLog } from '#domains/money/merchant-accounts/index.ts'
import { moneyMove } from '#domains/money/payment-channels/index.ts'
import { shoppingOrder } from '#domains/sales/orders/index.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { newId } from '#kit/server/database/snowflake.ts'
import { parseShanghaiTime } from '#kit/server/base/time.ts'
import { UNMATCHED_REFUND_STATE, PAYMENT_ATTEMPT_STATE, WECHAT_PAY_MODE } from './dictionaries.ts'
import { payAttempt } from './pay-attempt.resource.ts'
import { PAYMENT_ATTEMPT_NOTES } from './attempt-transitions.ts'

const SHOWN = 60

type Paid = {
  orderId: string
  shopId: string
  amount: number
  transactionNo: string
  payTime: string
  subMchid: string
}

/**
 * Seeds demo payment attempts for the latest WeChat Pay orders: most succeed at once, some at the second try, one is
 * paid twice. Also seeds refunds that wait for a second approval.
 */
export async function seed(db: Db, { services, users }: StorySeedContext): Promise<void> {
  const orders = await db.query<Paid>(sql`
    select o.id as order_id, o.shop_id, p.amount, p.transaction_no, to_char(p.pay_time at time zone 'Asia/Shanghai',
      'YYYY-MM-DD HH24:MI:SS') as pay_time, m.sub_mchid from shopping_order o
    join order_payment p on p.tenant_id = o.tenant_id and p.order_id = o.id and p.channel = 'wechat'
      and p.transaction_no is not null
    join basic_shop_info b on b.tenant_id = o.tenant_id and b.id = o.shop_id
    join merchant_info m on m.tenant_id = b.tenant_id and m.id = b.merchant_id
    where o.tenant_id = ${db.tenantId} and o.source = 'register' order by o.pay_time desc, o.id limit ${SHOWN}`)

  for (const [n, order] of orders.entries()) {
    const { payTime, transactionNo, ...of } = order
    const write = (more: object) => {
      const id = newId()
      const first = { ...of, id, payNo: `P${id}`, way: WECHAT_PAY_MODE.codepay, askedTime: payTime, deadline: payTime }
      return db.withTimestamp(parseShanghaiTime(payTime), (past) => past.insert(payAttempt, { ...first, ...more }))
    }
    if (n % 12 === 5) await write({ state: PAYMENT_ATTEMPT_STATE.refused, note: PAYMENT_ATTEMPT_NOTES.customerFailed })
    if (n % 15 === 7) await write({ state: PAYMENT_ATTEMPT_STATE.closed })
    await write({ state: PAYMENT_ATTEMPT_STATE.paid, transactionNo, paidTime: payTime })
    if (n === 3) {
      const twice = {
        state: PAYMENT_ATTEMPT_STATE.paid,
        way: WECHAT_PAY_MODE.native,
        transactionNo: `${transactionNo}2`,
        paidTime: payTime,
      }
      await write({
        ...twice,
        note: PAYMENT_ATTEMPT_NOTES.paidTwice,
        backNo: `BP${newId()}`,
        backState: UNMATCHED_REFUND_STATE.done,
      })
    }
  }

  const [share] = await db.find(shareLog, sql`r.status = 2`, sql`order by r.amount desc, r.id limit 1`)
  const askUser = users.get('lin') ?? users.values().next().value
  const order = share && (await db.get(shoppingOrder, share.orderId))
  if (!order || !askUser) return
  await db.insert(moneyMove, {
    kind: 'unfreeze',
    subjectKey: share.id,
    subjectNo: share.outOrderNo,
    orderId: share.orderId,
    shopId: share.shopId,
    amount: order.payAmount! - share.amount!,
    state: 'waiting',
    askUser,
    sealedAsk: secretCipherOf(services).seal('null'),
  })
}
