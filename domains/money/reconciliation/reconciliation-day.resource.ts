import { merchantIdField } from '#domains/money/merchant-accounts/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

const accountGroup = { zh: '账户', en: 'Account' }
const figures = { zh: '金额', en: 'Amounts' }
const course = { zh: '比对', en: 'Reconciliation' }

/**
 * A day of an account: our books, the platform's statement, the money moved, and the differences. Amounts that leave
 * the account are negative. Written only by the comparison.
 */
export const reconciliationDay = defineResource({
  name: 'tallyDay',
  path: '/api/tally/day',
  label: { zh: '每日对账', en: 'Daily reconciliation', many: 'Daily reconciliation' },
  tenancy: 'tenant',
  writer: 'system',
  menu: { under: 'merchant', path: '/merchant/tallyDay', icon: 'reconciliation', sort: 32 },
  title: 'accountName',
  fields: {
    day: f.date({ label: { zh: '日期', en: 'Date' }, form: 'read', search: 'range', group: accountGroup, width: 110 }),
    side: f.dict('tally_side', {
      label: { zh: '平台', en: 'Platform' },
      form: 'read',
      search: 'eq',
      group: accountGroup,
      width: 100,
    }),
    accountName: f.text({
      label: { zh: '账户', en: 'Account' },
      max: 100,
      form: 'read',
      search: 'like',
      group: accountGroup,
      width: 190,
    }),
    accountNo: f.text({
      label: { zh: '账户编号', en: 'Account ID' },
      max: 64,
      form: 'read',
      search: 'eq',
      group: accountGroup,
    }),
    merchantId: merchantIdField({ form: 'read', group: accountGroup }),
    shopId: shopIdField({ form: 'read', group: accountGroup }),
    ours: f.money({
      label: { zh: '我方账面', en: 'Our records' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 115,
      help: { zh: '收款 − 退款 − 手续费 − 分账', en: 'Receipts − refunds − fees − profit shares' },
    }),
    stated: f.money({
      label: { zh: '平台账单', en: 'Platform statement' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 115,
    }),
    moved: f.money({
      label: { zh: '资金变动', en: 'Fund movement' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 115,
      help: { zh: '资金流水合计，不含提现', en: 'Total of the fund flow, excluding withdrawals' },
    }),
    worth: f.money({
      label: { zh: '差异合计', en: 'Total discrepancies' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 115,
    }),
    remainder: f.money({
      label: { zh: '未说明', en: 'Unreconciled' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 100,
      help: {
        zh: '资金变动 − 我方账面 − 差异合计，应为 0.00',
        en: 'Fund movement − our records − discrepancies. Should be 0.00.',
      },
    }),
    withdrawn: f.money({
      label: { zh: '提现到银行', en: 'Withdrawn to bank' },
      form: 'read',
      default: '0.00',
      group: figures,
      width: 115,
    }),
    balanceTo: f.money({ label: { zh: '日终结余', en: 'Closing balance' }, form: 'read', group: figures }),
    lineCount: f.number({
      label: { zh: '账单行数', en: 'Statement lines' },
      form: 'read',
      default: 0,
      group: course,
      width: 90,
    }),
    differences: f.number({
      label: { zh: '待处理差异', en: 'Open discrepancies' },
      form: 'read',
      default: 0,
      group: course,
      width: 105,
    }),
    readTime: f.datetime({ label: { zh: '比对时间', en: 'Reconciled' }, form: 'read', group: course, width: 160 }),
    problem: f.text({ label: { zh: '没有比对', en: 'Not reconciled' }, max: 500, form: 'read', group: course }),
    digest: f.text({
      label: { zh: '账单摘要', en: 'Statement digest' },
      max: 200,
      form: 'hidden',
      detail: false,
      secret: true,
    }),
    runNo: f.number({
      label: { zh: '比对次数', en: 'Reconciliation runs' },
      default: 0,
      form: 'hidden',
      detail: false,
    }),
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
  row: { sub: ['side'], amount: 'worth', state: false, group: false },
  unique: [['side', 'accountNo', 'day']],
  remove: false,
  actions: {
    compare: {
      on: 'row',
      label: { zh: '重新对账', en: 'Rerun reconciliation' },
      icon: 'sync',
      done: { zh: '已开始，完成后这里会更新', en: 'Started. This page updates when it is done.' },
    },
  },
})
