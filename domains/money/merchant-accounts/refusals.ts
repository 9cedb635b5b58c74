import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  settlement_under_way: {
    zh: '这个商户有一次结算账户变更正在进行',
    en: 'A settlement account change of this merchant is already in progress',
    status: 409,
  },
  shop_of_other_merchant: {
    zh: '门店“{shop}”已属于商户“{name}”',
    en: 'Store “{shop}” already belongs to merchant “{name}”',
  },
  receivers_invalid: {
    zh: '第 {n} 个分账接收方不完整：{problem}',
    en: 'Profit-sharing receiver {n} is incomplete: {problem}',
  },
  receiver_twice: { zh: '接收方“{account}”出现了两次', en: 'Receiver “{account}” appears twice' },
  bill_period_not_over: {
    zh: '{end} 还没有结束，不能出账单',
    en: '{end} is not over yet. The bill cannot be generated.',
  },
  bill_period_wrong: { zh: '账单开始日期应早于结束日期', en: 'The bill start date must be before the end date' },
  bill_has_differences: {
    zh: '还有 {count} 笔差异，请写明处理意见',
    en: '{count} {count|line does|lines do} not match. Enter a resolution.',
  },
  bill_is_checked: {
    zh: '账单 {billNo} 已核对，不能重新生成',
    en: 'Bill {billNo} has been verified and cannot be regenerated',
  },
  bill_without_line: {
    zh: '{day} 的账单里没有订单 {orderNo} 这一行：账单已核对或已读过对账单，请在账单页核对后认可差异并写明原因',
    en:
      'The bill of {day} has no line for order {orderNo}. It was already verified or its statement ' +
      'imported. Check it on the bill page, then accept the discrepancy with a reason.',
    status: 409,
  },
  statement_unreadable: { zh: '无法读取这份对账单：{problem}', en: 'The statement could not be read: {problem}' },
  statement_other_period: {
    zh: '对账单里有 {time} 的交易，不在账单 {from} 至 {to} 之内',
    en: 'The statement contains a transaction of {time}, outside the bill period {from} to {to}',
  },
  share_not_on_platform: {
    zh: '订单 {orderNo} 不是通过支付平台付款，不能分账',
    en: 'Order {orderNo} was not paid through the payment platform and cannot be shared',
  },
  unfreeze_not_on_platform: {
    zh: '订单 {orderNo} 不是通过支付平台付款，没有冻结的钱',
    en: 'Order {orderNo} was not paid through the payment platform. It has no frozen funds.',
  },
  share_no_merchant: { zh: '订单的门店没有商户', en: 'The store of the order has no merchant' },
  share_over_ratio: {
    zh: '订单 {orderNo} 最多还能分 {left} 元（{why}），不能分 {amount} 元',
    en: 'Order {orderNo} can share up to ¥{left} more ({why}), not ¥{amount}',
    none: {
      of: 'left',
      zh: '订单 {orderNo} 没有可以分账的金额了：{why}',
      en: 'Order {orderNo} has nothing left to share: {why}',
    },
  },
  share_order_let_go: {
    zh: '订单 {orderNo} 已解冻，不能再分账或解冻',
    en: 'The remaining funds of order {orderNo} were released. They cannot be shared or released again.',
  },
  share_too_often: { zh: '一个订单最多分账 {max} 次', en: 'An order can be shared up to {max} {max|time|times}' },
  apply_other_merchant: {
    zh: '特约商户号 {subMchid} 的进件还没有完成，不能绑定门店',
    en: 'Onboarding of sub-merchant {subMchid} is not complete. Stores cannot be linked.',
  },
  merchant_without_number: {
    zh: '商户“{name}”还没有特约商户号，请先完成进件',
    en: 'Merchant “{name}” has no sub-merchant ID. Complete onboarding first.',
  },
  merchant_without_receivers: {
    zh: '商户“{name}”没有分账接收方',
    en: 'Merchant “{name}” has no profit-sharing receivers',
  },
  apply_not_editable: {
    zh: '进件申请{status}，不能修改',
    en: 'The onboarding application is {status} and cannot be changed',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
