import { APPLY_STATE, PENDING_APPLY_STATES } from './dictionaries.ts'
import { merchantIdField } from './merchant-info.resource.ts'
import { defineResource, defineStates, f, longRemarkField } from '#kit/resource/index.ts'

const basics = { zh: '申请', en: 'Application' }
const contact = { zh: '超级管理员', en: 'Administrator' }
const subject = { zh: '主体资料', en: 'Entity' }
const legal = { zh: '法人证件', en: 'Legal representative ID' }
const business = { zh: '经营资料', en: 'Business details' }
const settlement = { zh: '结算规则', en: 'Settlement' }
const account = { zh: '结算账户', en: 'Settlement account' }
/** Groups of the application's fields. */
export const applyGroups = { contact, subject, legal, business, settlement, account }
const kept = {
  zh: '只显示后四位；不填表示不改',
  en: 'Only the last four characters are shown. Leave blank to keep it.',
}
const idPattern = {
  pattern: '^\\d{17}[\\dX]$',
  patternWords: { zh: '身份证号是 17 位数字加一位数字或 X', en: 'An ID number has 17 digits followed by a digit or X' },
  sample: '330106199001011234',
}
const forever = { zh: '不填表示长期', en: 'Leave blank if it does not expire' }

/** Application of a merchant to WeChat Pay (applyment4sub): filled in here, submitted and reviewed there. */
export const payApply = defineResource({
  name: 'payApply',
  path: '/api/pay/payApply',
  label: { zh: '收款进件', en: 'Onboarding application' },
  tenancy: 'tenant',
  ownFields: false,
  menu: { under: 'merchant', path: '/pay/payApply', icon: 'solution', sort: 50 },
  title: 'merchantShortname',
  titleCode: 'businessCode',
  fields: {
    merchantId: merchantIdField({ required: true, form: 'add', group: basics, width: 160 }),
    businessCode: f.text({
      label: { zh: '业务申请编号', en: 'Application no.' },
      max: 124,
      form: 'hidden',
      search: 'like',
      group: basics,
      width: 190,
    }),
    status: f.dict('pay_apply_status', {
      label: { zh: '状态', en: 'Status' },
      form: 'hidden',
      default: 'draft',
      search: 'eq',
      group: basics,
      width: 110,
    }),
    stateMsg: f.text({
      label: { zh: '平台说明', en: 'Platform message' },
      max: 500,
      form: 'hidden',
      group: basics,
    }),
    // Both are shown on the page at the fields they concern.
    auditDetail: f.json({
      label: { zh: '驳回原因', en: 'Rejection reasons' },
      form: 'hidden',
      detail: false,
      group: basics,
    }),
    applymentNo: f.text({
      label: { zh: '微信支付申请单号', en: 'WeChat Pay application no.' },
      max: 32,
      form: 'hidden',
      group: basics,
    }),
    signUrl: f.text({ label: { zh: '签约链接', en: 'Signing link' }, max: 1000, form: 'hidden', group: basics }),
    sentTime: f.datetime({ label: { zh: '提交时间', en: 'Submitted' }, form: 'hidden', group: basics }),
    askedTime: f.datetime({ label: { zh: '最近查询', en: 'Last checked' }, form: 'hidden', group: basics }),
    finishTime: f.datetime({ label: { zh: '完成时间', en: 'Completed' }, form: 'hidden', group: basics }),
    sentValues: f.json({
      label: { zh: '上次提交的内容', en: 'Last submission' },
      form: 'hidden',
      detail: false,
      heavy: true,
      group: basics,
    }),
    subMchid: f.text({
      label: { zh: '特约商户号', en: 'Sub-merchant ID' },
      max: 32,
      form: 'hidden',
      search: 'eq',
      group: basics,
      width: 130,
    }),
    contactType: f.dict('pay_contact_type', {
      label: { zh: '管理员类型', en: 'Administrator type' },
      required: true,
      default: 'LEGAL',
      group: contact,
    }),
    contactName: f.text({
      label: { zh: '管理员姓名', en: 'Administrator name' },
      max: 100,
      group: contact,
      width: 110,
    }),
    contactIdNumber: f.text({
      label: { zh: '管理员身份证号', en: 'Administrator ID number' },
      max: 400,
      secret: true,
      group: contact,
      help: kept,
      ...idPattern,
    }),
    contactIdTail: f.text({
      label: { zh: '管理员身份证号', en: 'Administrator ID number' },
      max: 20,
      form: 'hidden',
      group: contact,
    }),
    contactIdBegin: f.date({ label: { zh: '管理员证件起始日', en: 'Administrator ID from' }, group: contact }),
    contactIdEnd: f.date({
      label: { zh: '管理员证件到期日', en: 'Administrator ID until' },
      group: contact,
      help: forever,
    }),
    contactIdCopy: f.picture({
      label: { zh: '经办人证件人像面', en: 'Agent ID (front)' },
      group: contact,
      help: { zh: '类型为经办人时必填', en: 'Required for agents' },
    }),
    contactIdCopyBack: f.picture({
      label: { zh: '经办人证件国徽面', en: 'Agent ID (back)' },
      group: contact,
    }),
    contactLetter: f.picture({ label: { zh: '业务办理授权函', en: 'Authorization letter' }, group: contact }),
    mobilePhone: f.phone({
      label: { zh: '管理员手机', en: 'Administrator phone' },
      group: contact,
      width: 130,
    }),
    contactEmail: f.email({ label: { zh: '管理员邮箱', en: 'Administrator email' }, group: contact }),
    subjectType: f.dict('merchant_type', {
      label: { zh: '主体类型', en: 'Entity type' },
      required: true,
      default: 'individual',
      search: 'eq',
      group: subject,
      width: 110,
    }),
    licenseCopy: f.picture({ label: { zh: '营业执照照片', en: 'Business license photo' }, group: subject }),
    licenseNumber: f.text({
      label: { zh: '统一社会信用代码', en: 'Unified social credit code' },
      max: 18,
      group: subject,
      pattern: '^([0-9A-Z]{15}|[0-9A-Z]{18})$',
      patternWords: {
        zh: '统一社会信用代码是 18 位，注册号是 15 位',
        en: 'A social credit code has 18 characters, a registration number 15',
      },
      sample: '91330106MA2ABCDE1F',
    }),
    licenseName: f.text({ label: { zh: '执照上的名称', en: 'Name on license' }, max: 128, group: subject }),
    legalPerson: f.text({
      label: { zh: '法人或经营者', en: 'Legal representative or owner' },
      max: 100,
      group: subject,
      width: 110,
    }),
    licenseAddress: f.text({ label: { zh: '注册地址', en: 'Registered address' }, max: 200, group: subject }),
    licenseBegin: f.date({ label: { zh: '执照起始日', en: 'License valid from' }, group: subject }),
    licenseEnd: f.date({ label: { zh: '执照到期日', en: 'License valid until' }, group: subject, help: forever }),
    idCardCopy: f.picture({ label: { zh: '身份证人像面', en: 'ID card (front)' }, group: legal }),
    idCardNational: f.picture({ label: { zh: '身份证国徽面', en: 'ID card (back)' }, group: legal }),
    idCardName: f.text({ label: { zh: '身份证姓名', en: 'Name on ID card' }, max: 100, group: legal }),
    idCardNumber: f.text({
      label: { zh: '身份证号', en: 'ID number' },
      max: 400,
      secret: true,
      group: legal,
      help: kept,
      ...idPattern,
    }),
    idCardTail: f.text({ label: { zh: '身份证号', en: 'ID number' }, max: 20, form: 'hidden', group: legal }),
    idCardAddress: f.text({ label: { zh: '身份证住址', en: 'Address on ID card' }, max: 200, group: legal }),
    idCardBegin: f.date({ label: { zh: '证件起始日', en: 'ID valid from' }, group: legal }),
    idCardEnd: f.date({ label: { zh: '证件到期日', en: 'ID valid until' }, group: legal, help: forever }),
    merchantShortname: f.text({
      label: { zh: '商户简称', en: 'Short name' },
      required: true,
      max: 64,
      search: 'like',
      group: business,
      width: 150,
      help: { zh: '顾客付款后看到的名字', en: 'The name customers see after paying' },
    }),
    servicePhone: f.phone({
      label: { zh: '客服电话', en: 'Service phone' },
      landline: true,
      group: business,
    }),
    storeName: f.text({ label: { zh: '门店名称', en: 'Store name' }, max: 128, group: business }),
    storeRegion: f.region({ label: { zh: '门店所在地区', en: 'Store district' }, group: business }),
    storeAddress: f.text({ label: { zh: '门店地址', en: 'Store address' }, max: 200, group: business }),
    storeEntrance: f.pictures({
      label: { zh: '门头照片', en: 'Storefront photos' },
      maxCount: 5,
      group: business,
    }),
    storeIndoor: f.pictures({ label: { zh: '店内照片', en: 'Store interior photos' }, maxCount: 5, group: business }),
    settlementId: f.text({
      label: { zh: '结算规则', en: 'Settlement rule' },
      max: 10,
      group: settlement,
      pattern: '^\\d{3,10}$',
      patternWords: {
        zh: '结算规则是平台给的数字编号，如 719',
        en: 'A settlement rule is a numeric ID from the platform, for example, 719',
      },
      sample: '719',
    }),
    qualificationType: f.text({ label: { zh: '所属行业', en: 'Industry' }, max: 200, group: settlement, width: 120 }),
    qualifications: f.pictures({ label: { zh: '特殊资质', en: 'Special permits' }, maxCount: 5, group: settlement }),
    bankAccountType: f.dict('pay_account_type', {
      label: { zh: '账户类型', en: 'Account type' },
      required: true,
      default: 'corporate',
      group: account,
    }),
    accountName: f.text({
      label: { zh: '开户名称', en: 'Account holder' },
      max: 128,
      group: account,
      help: {
        zh: '对公账户与执照名称一致；个人银行卡与经营者姓名一致',
        en: 'Corporate account: name on the license. Personal card: name of the owner.',
      },
    }),
    accountBank: f.text({ label: { zh: '开户银行', en: 'Bank' }, max: 128, group: account }),
    bankRegion: f.region({ label: { zh: '开户行所在地区', en: 'Bank district' }, group: account }),
    bankName: f.text({ label: { zh: '开户支行', en: 'Branch' }, max: 128, group: account }),
    accountNumber: f.text({
      label: { zh: '银行账号', en: 'Account number' },
      max: 400,
      secret: true,
      group: account,
      help: kept,
      pattern: '^\\d{6,32}$',
      patternWords: { zh: '银行账号是 6 到 32 位数字', en: 'A bank account number has 6 to 32 digits' },
      sample: '6222021202009012',
    }),
    accountTail: f.text({ label: { zh: '银行账号', en: 'Account number' }, max: 20, form: 'hidden', group: account }),
    remark: longRemarkField(),
  },
  list: {
    columns: [
      'merchantShortname',
      'merchantId',
      'businessCode',
      'status',
      'subjectType',
      'legalPerson',
      'contactName',
      'mobilePhone',
      'subMchid',
      'createTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { title: 'merchantShortname', sub: ['merchantId', 'subjectType'] },
  unique: [['businessCode']],
  indexes: [['merchantId', 'createTime']],
  permissions: { bindShop: { zh: '绑定门店', en: 'Link stores' } },
  states: defineStates({
    field: 'status',
    values: APPLY_STATE,
    initial: ['draft'],
    moves: {
      apply: { from: ['draft', 'submitFailed', 'rejected', 'cancelled'], to: 'submitting' },
      submit: { from: ['submitting'], to: 'auditing' },
      fail: { from: ['submitting'], to: 'submitFailed' },
      // What WeChat Pay says, which may go back.
      follow: {
        from: ['submitting', 'auditing', 'toSign', 'toVerify', 'signing'],
        to: [
          'submitting',
          'submitFailed',
          'auditing',
          'toSign',
          'toVerify',
          'signing',
          'finished',
          'rejected',
          'cancelled',
        ],
      },
    },
  }),
  actions: {
    apply: {
      on: 'row',
      label: { zh: '提交微信支付', en: 'Submit to WeChat Pay' },
      confirm: { zh: '把这份申请提交给微信支付?', en: 'Submit this application to WeChat Pay?' },
      done: { zh: '已提交，等待微信支付确认', en: 'Submitted, awaiting confirmation by WeChat Pay' },
      icon: 'send',
    },
    applystatus: {
      on: 'row',
      label: { zh: '查询进度', en: 'Check status' },
      done: { zh: '已向微信支付查询', en: 'Checking with WeChat Pay' },
      enabled: { status: { in: [...PENDING_APPLY_STATES, APPLY_STATE.submitting] } },
      icon: 'sync',
    },
  },
})
