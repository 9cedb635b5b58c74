import { defineResource, f, remark } from '#kit/resource/index.ts'
import { merchantId } from './merchant-info.resource.ts'
import { payApply } from './pay-apply.resource.ts'
import { SETTLEMENT } from './dictionaries.ts'

const { bankAccountType, accountName, accountBank, bankRegion, bankName, accountNumber, accountTail } = payApply.fields
const account = { zh: '新的结算账户', en: 'New account' }

/**
 * The account a merchant's money is settled to is changed: by one who asks and another who agrees, then handed to
 * WeChat Pay once, which says whether the money may go there.
 */
export const settlementChange = defineResource({
  name: 'settlementChange',
  path: '/api/merchant/settlementChange',
  label: { zh: '结算账户变更', en: 'Change of a settlement account' },
  tenancy: 'tenant',
  ownFields: false,
  menu: { under: 'merchant', path: '/merchant/settlementChange', icon: 'bank', sort: 55 },
  title: 'accountName',
  fields: {
    merchantId: merchantId({ onRemoval: 'refuse', required: true, form: 'add' }),
    subMchid: f.text({ label: payApply.fields.subMchid.label, max: 32, form: 'hidden', search: 'eq', width: 130 }),
    status: f.dict('settlement_status', {
      label: { zh: '状态', en: 'State' },
      form: 'hidden',
      default: SETTLEMENT.draft,
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
      label: { zh: '提出人', en: 'Asked by' },
      labelKey: 'askUserName',
      form: 'hidden',
      width: 100,
    }),
    secondUser: f.ref('user', {
      label: { zh: '确认人', en: 'Agreed to by' },
      labelKey: 'secondUserName',
      form: 'hidden',
      width: 100,
    }),
    applicationNo: f.text({ label: { zh: '申请单号', en: 'Number there' }, max: 64, form: 'hidden' }),
    sentTime: f.datetime({ label: { zh: '提交时间', en: 'Sent' }, form: 'hidden', width: 160 }),
    finishTime: f.datetime({ label: { zh: '完成时间', en: 'Finished' }, form: 'hidden', width: 160 }),
    failReason: f.text({ label: { zh: '失败原因', en: 'Why it failed' }, max: 500, form: 'hidden', width: 200 }),
    remark: remark(),
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
  actions: {
    ask: {
      on: 'row',
      label: { zh: '申请变更', en: 'Ask for the change' },
      confirm: {
        zh: '以后的结算款都打到 {accountName} 的账户 {accountTail}，须由另一人确认',
        en: 'All money settled from then on goes to {accountName}, account {accountTail}; somebody else has to agree',
      },
      done: { zh: '已提出，等待另一人确认', en: 'Asked; somebody else has to agree' },
      enabled: { status: { in: [SETTLEMENT.draft, SETTLEMENT.failed, SETTLEMENT.declined] } },
      icon: 'send',
    },
    agree: {
      on: 'row',
      label: { zh: '确认变更', en: 'Agree' },
      confirm: {
        zh: '同意把结算款打到 {accountName} 的账户 {accountTail}？',
        en: 'Agree that money is settled to {accountName}, account {accountTail}?',
      },
      done: { zh: '已提交，等待微信支付审核', en: 'Sent; WeChat Pay looks at it' },
      enabled: { status: { eq: SETTLEMENT.waiting } },
      icon: 'check-circle',
    },
    decline: {
      on: 'row',
      label: { zh: '不同意', en: 'Decline' },
      enabled: { status: { eq: SETTLEMENT.waiting } },
      danger: true,
      icon: 'stop',
    },
  },
})
