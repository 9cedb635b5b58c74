import { defineResource, defineStates, f, remarkField } from '#kit/resource/index.ts'
import { merchantIdField } from './merchant-info.resource.ts'
import { payApply } from './pay-apply.resource.ts'
import { SETTLEMENT_CHANGE_STATE } from './dictionaries.ts'

const { bankAccountType, accountName, accountBank, bankRegion, bankName, accountNumber, accountTail } = payApply.fields
const account = { zh: '新的结算账户', en: 'New settlement account' }

/**
 * Change of a merchant's settlement account: requested by one person, approved by another, then sent once to WeChat
 * Pay, which verifies the account.
 */
export const settlementChange = defineResource({
  name: 'settlementChange',
  path: '/api/merchant/settlementChange',
  label: { zh: '结算账户变更', en: 'Settlement account change' },
  tenancy: 'tenant',
  ownFields: false,
  menu: { under: 'merchant', path: '/merchant/settlementChange', icon: 'bank', sort: 55 },
  title: 'accountName',
  fields: {
    merchantId: merchantIdField({ onRemoval: 'refuse', required: true, form: 'add' }),
    subMchid: f.text({ label: payApply.fields.subMchid.label, max: 32, form: 'hidden', search: 'eq', width: 130 }),
    status: f.dict('settlement_status', {
      label: { zh: '状态', en: 'Status' },
      form: 'hidden',
      default: SETTLEMENT_CHANGE_STATE.draft,
      search: 'eq',
      width: 130,
    }),
    bankAccountType: f.dict('pay_account_type', {
      label: bankAccountType.label,
      required: true,
      default: 'corporate',
      group: account,
    }),
    accountName: f.text({ label: accountName.label, required: true, max: 128, group: account, width: 180 }),
    accountBank: f.text({ label: accountBank.label, required: true, max: 128, group: account, width: 120 }),
    bankRegion: f.region({ label: bankRegion.label, required: true, group: account }),
    bankName: f.text({ label: bankName.label, max: 128, group: account }),
    accountNumber: f.text({
      label: accountNumber.label,
      max: 400,
      secret: true,
      group: account,
      help: accountNumber.help,
      pattern: accountNumber.pattern,
      patternWords: accountNumber.patternWords,
      sample: '6222021202009012',
    }),
    accountTail: f.text({ label: accountTail.label, max: 20, form: 'hidden', group: account, width: 110 }),
    askUser: f.ref('user', {
      label: { zh: '提出人', en: 'Requested by' },
      labelKey: 'askUserName',
      form: 'hidden',
      width: 100,
    }),
    secondUser: f.ref('user', {
      label: { zh: '确认人', en: 'Approved by' },
      labelKey: 'secondUserName',
      form: 'hidden',
      width: 100,
    }),
    applicationNo: f.text({ label: { zh: '申请单号', en: 'Application no.' }, max: 64, form: 'hidden' }),
    sentTime: f.datetime({ label: { zh: '提交时间', en: 'Submitted' }, form: 'hidden', width: 160 }),
    finishTime: f.datetime({ label: { zh: '完成时间', en: 'Completed' }, form: 'hidden', width: 160 }),
    failReason: f.text({ label: { zh: '失败原因', en: 'Failure reason' }, max: 500, form: 'hidden', width: 200 }),
    remark: remarkField(),
  },
  list: {
    columns: [
      'merchantId',
      'subMchid',
      'accountName',
      'accountBank',
      'accountTail',
      'status',
      'askUser',
      'secondUser',
      'failReason',
      'createTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  indexes: [
    ['merchantId', 'createTime'],
    ['status', 'createTime', 'id'],
  ],
  states: defineStates({
    field: 'status',
    values: SETTLEMENT_CHANGE_STATE,
    initial: ['draft'],
    moves: {
      ask: { from: ['draft', 'failed', 'declined'], to: 'waiting' },
      agree: { from: ['waiting'], to: 'asked' },
      decline: { from: ['waiting'], to: 'declined' },
      send: { from: ['asked'], to: 'sent' },
      follow: { from: ['asked', 'sent', 'auditing'], to: ['auditing', 'done', 'failed'] },
    },
  }),
  actions: {
    ask: {
      on: 'row',
      label: { zh: '申请变更', en: 'Request change' },
      confirm: {
        zh: '以后的结算款都打到 {accountName} 的账户 {accountTail}，要由另一人确认',
        en: 'All later settlements go to {accountName}, account {accountTail}. Another person must approve.',
      },
      done: { zh: '已提出，等待另一人确认', en: 'Submitted, awaiting second approval' },
      icon: 'send',
    },
    agree: {
      on: 'row',
      label: { zh: '确认变更', en: 'Approve change' },
      confirm: {
        zh: '同意把结算款打到 {accountName} 的账户 {accountTail}？',
        en: 'Approve settlement to {accountName}, account {accountTail}?',
      },
      done: { zh: '已提交，等待微信支付审核', en: 'Submitted, WeChat Pay is reviewing it' },
      icon: 'check-circle',
    },
    decline: {
      on: 'row',
      label: { zh: '驳回', en: 'Reject' },
      danger: true,
      icon: 'stop',
    },
  },
})
