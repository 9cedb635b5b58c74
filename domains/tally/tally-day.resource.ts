import { merchantId } from '#domains/merchants/index.ts'
import { shopId } from '#domains/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

const whose = { zh: '账户', en: 'Account' }
const figures = { zh: '金额', en: 'Amounts' }
const course = { zh: '比对', en: 'Comparison' }

/**
 * One account's day: what our books say, what the platform states, what money moved, and the differences between them.
 * Amounts are seen from the account: what goes out is negative. Written by comparing, never by hand.
 */
export const tallyDay = defineResource({
  name: 'tallyDay',
  path: '/api/tally/day',
  label: { zh: '每日对账', en: 'Day compared' },
  tenancy: 'tenant',
  writer: 'system',
  menu: { under: 'merchant', path: '/merchant/tallyDay', icon: 'reconciliation', sort: 32 },
  title: 'accountName',
  fields: {
    day: f.date({ label: { zh: '日期', en: 'Day' }, form: 'read', search: 'range', group: whose, width: 110 }),
    side: f.dict('tally_side', {
      label: { zh: '平台', en: 'Platform' },
      form: 'read',
      search: 'eq',
      group: whose,
      width: 100,
    }),
    accountName: f.text({
      label: { zh: '账户', en: 'Account' },
      max: 100,
      form: 'read',
      search: 'like',
      group: whose,
      width: 190,
    }),
    accountNo: f.text({
      label: { zh: '账户编号', en: 'Account number' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: whose,
    }),
    merchantId: merchantId({ form: 'read', group: whose }),
    shopId: shopId({ form: 'read', group: whose }),
    ours: f.money({
      label: { zh: '我方账面', en: 'By our books' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 115,
      help: { zh: '收款 − 退款 − 手续费 − 分账', en: 'Taken less refunds, fees and shares' },
    }),
    stated: f.money({
      label: { zh: '平台账单', en: 'Statement' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 115,
    }),
    moved: f.money({
      label: { zh: '资金变动', en: 'Money moved' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 115,
      help: { zh: '资金流水合计，不含提现', en: 'The fund flow, without what went to the bank' },
    }),
    worth: f.money({
      label: { zh: '差异合计', en: 'Differences worth' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 115,
    }),
    remainder: f.money({
      label: { zh: '未说明', en: 'Unexplained' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 100,
      help: { zh: '资金变动 − 我方账面 − 差异合计，应为 0.00', en: 'Moved less ours less differences: 0.00' },
    }),
    withdrawn: f.money({
      label: { zh: '提现到银行', en: 'Paid to the bank' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 115,
    }),
    balanceTo: f.money({ label: { zh: '日终结余', en: 'Balance at the end' }, form: 'read', group: figures }),
    lineCount: f.number({ label: { zh: '账单行数', en: 'Lines' }, form: 'read', default: 0, group: course, width: 90 }),
    differences: f.number({
      label: { zh: '待处理差异', en: 'To settle' },
      form: 'read',
      default: 0,
      group: course,
      width: 105,
    }),
    readTime: f.datetime({ label: { zh: '比对时间', en: 'Compared' }, form: 'read', group: course, width: 160 }),
    problem: f.text({ label: { zh: '没有比对', en: 'Not compared' }, max: 500, form: 'read', group: course }),
    digest: f.text({
      label: { zh: '账单摘要', en: 'Mark of the file' },
      max: 200,
      form: 'hidden',
      detail: false,
      secret: true,
    }),
    runNo: f.number({ label: { zh: '比对次数', en: 'Times compared' }, default: 0, form: 'hidden', detail: false }),
  },
  list: {
    columns: [
      'day',
      'side',
      'accountName',
      'ours',
      'moved',
      'differences',
      'worth',
      'remainder',
      'stated',
      'withdrawn',
      'readTime',
    ],
    sort: '-day',
  },
  unique: [['side', 'accountNo', 'day']],
  remove: false,
  actions: {
    compare: {
      on: 'row',
      label: { zh: '重新取账比对', en: 'Fetch and compare' },
      icon: 'sync',
      done: { zh: '已安排，完成后这里会更新', en: 'Asked for: this page follows when it is done' },
    },
  },
})
