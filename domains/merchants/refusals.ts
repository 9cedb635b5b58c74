import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  settlement_under_way: {
    zh: '这个商户有一次结算账户变更正在进行',
    en: 'A change of the account of this merchant is under way',
    status: 409,
  },
  shop_of_other_merchant: { zh: '门店“{shop}”已属于商户“{name}”', en: 'Shop "{shop}" belongs to merchant "{name}"' },
  receivers_invalid: { zh: '第 {n} 个分账接收方不完整：{problem}', en: 'Receiver {n} is not complete: {problem}' },
  receiver_twice: { zh: '接收方“{account}”出现了两次', en: 'Receiver "{account}" stands there twice' },
  bill_period_not_over: { zh: '{end} 还没有结束，不能出账单', en: '{end} is not over yet' },
  bill_period_wrong: { zh: '账单开始日期应早于结束日期', en: 'A bill begins before it ends' },
  bill_has_differences: {
    zh: '还有 {count} 笔差异，请写明处理意见',
    en: '{count} {count|line does|lines do} not agree: say what is done about them',
  },
  bill_is_checked: {
    zh: '账单 {billNo} 已核对，不能重新生成',
    en: 'Bill {billNo} has been checked and cannot be made again',
  },
  bill_without_line: {
    zh: '{day} 的账单里没有订单 {orderNo} 这一行：账单已核对或已读过对账单，请在账单页核对后认可差异并写明原因',
    en:
      'The bill of {day} has no line of order {orderNo}: it was checked, or its statement was read. ' +
      'Look at the bill, then accept the difference and say why',
    status: 409,
  },
  statement_unreadable: { zh: '看不懂这份对账单：{problem}', en: 'This statement cannot be read: {problem}' },
  statement_other_period: {
    zh: '对账单里有 {time} 的交易，不在账单 {from} 至 {to} 之内',
    en: 'The statement has a transaction of {time}, which is not within {from} to {to}',
  },
  share_not_on_platform: {
    zh: '订单 {orderNo} 不是通过支付平台付款，不能分账',
    en: 'Order {orderNo} was not paid over the platform and cannot be shared',
  },
  unfreeze_not_on_platform: {
    zh: '订单 {orderNo} 不是通过支付平台付款，没有冻结的钱',
    en: 'Order {orderNo} was not paid over the platform: nothing of it is frozen',
  },
  share_no_merchant: { zh: '订单的门店没有商户', en: "The order's shop has no merchant" },
  share_over_ratio: {
    zh: '订单 {orderNo} 最多还能分 {left} 元（{why}），不能分 {amount} 元',
    en: '{left} yuan of order {orderNo} can still be shared ({why}), not {amount}',
    none: {
      of: 'left',
      zh: '订单 {orderNo} 没有可以分账的金额了：{why}',
      en: 'Nothing of order {orderNo} is left to share: {why}',
    },
  },
  share_order_let_go: {
    zh: '订单 {orderNo} 已解冻，不能再分账或解冻',
    en: 'What was left of order {orderNo} was let go: it cannot be shared or let go again',
  },
  share_too_often: { zh: '一个订单最多分账 {max} 次', en: 'An order can be shared {max} times at most' },
  apply_other_merchant: {
    zh: '特约商户号 {subMchid} 的进件还没有完成，不能绑定门店',
    en: 'The application of sub-merchant {subMchid} is not finished: no shop can take money by it',
  },
  merchant_without_number: {
    zh: '商户“{name}”还没有特约商户号，请先完成进件',
    en: 'Merchant "{name}" has no sub-merchant number: finish its application first',
  },
  merchant_without_receivers: { zh: '商户“{name}”没有分账接收方', en: 'Merchant "{name}" has no receivers' },
  apply_not_editable: { zh: '进件申请{status}，不能修改', en: 'The application is {status} and cannot be changed' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
