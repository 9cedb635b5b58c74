import {
  defineDict,
  defineResource,
  defineStates,
  f,
  longRemarkField,
  objectSchema,
  rowIdSchema,
  nullableSchema,
  integerSchema,
} from '#kit/resource/index.ts'

export const LEAD_STATE = { fresh: 0, contact: 1, signed: 2, rejected: 3 } as const

export const leadDictionaries = [
  defineDict({
    code: 'lead_status',
    label: { zh: '加盟申请状态', en: 'Franchise lead status' },
    entries: [
      { key: '0', zh: '新申请', en: 'New', colour: 'error' },
      { key: '1', zh: '跟进中', en: 'In progress', colour: 'processing' },
      { key: '2', zh: '已签约', en: 'Signed', colour: 'success' },
      { key: '3', zh: '未通过', en: 'Rejected', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'lead_source',
    label: { zh: '加盟申请来源', en: 'Franchise lead source' },
    entries: [
      { key: 'mini', zh: '小程序', en: 'Mini program' },
      { key: 'phone', zh: '电话', en: 'Phone' },
      { key: 'fair', zh: '展会', en: 'Trade fair' },
      { key: 'friend', zh: '老店主介绍', en: 'Referral by store owner' },
      { key: 'web', zh: '官网', en: 'Website' },
      { key: 'other', zh: '其他', en: 'Other' },
    ],
  }),
  defineDict({
    code: 'lead_way',
    label: { zh: '跟进方式', en: 'Activity type' },
    entries: [
      { key: 'phone', zh: '电话', en: 'Phone' },
      { key: 'wechat', zh: '微信', en: 'WeChat' },
      { key: 'visit', zh: '上门', en: 'On-site visit' },
      { key: 'meeting', zh: '到访公司', en: 'Office visit' },
    ],
  }),
]

const applicant = { zh: '申请人', en: 'Applicant' }
const plan = { zh: '开店意向', en: 'Store plans' }
const followUp = { zh: '跟进', en: 'Follow-up' }

/** A franchise lead: somebody who wants to open a shop with us. */
export const joinUs = defineResource({
  name: 'joinUs',
  path: '/api/shop/joinUs',
  label: { zh: '加盟申请', en: 'Franchise lead' },
  tenancy: 'tenant',
  menu: { under: 'shop', path: '/shop/joinUs', icon: 'solution', sort: 50 },
  title: 'name',
  titleCode: 'phone',
  fields: {
    name: f.text({
      label: { zh: '姓名', en: 'Name' },
      required: true,
      max: 50,
      search: 'like',
      group: applicant,
      width: 100,
    }),
    phone: f.phone({
      label: { zh: '电话', en: 'Phone' },
      required: true,
      mask: 'phone',
      unmaskedFor: 'edit',
      search: 'like',
      group: applicant,
      width: 130,
    }),
    status: f.dict('lead_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      form: 'read',
      default: 0,
      search: 'in',
      group: followUp,
      width: 90,
    }),
    source: f.dict('lead_source', { label: { zh: '来源', en: 'Source' }, search: 'eq', group: applicant, width: 110 }),
    province: f.region({ label: { zh: '省', en: 'Province' }, form: 'hidden', detail: false }),
    city: f.region({ label: { zh: '市', en: 'City' }, form: 'hidden', detail: false }),
    district: f.region({
      label: { zh: '意向地区', en: 'Preferred region' },
      group: plan,
      search: 'likeright',
      width: 180,
    }),
    shopArea: f.number({
      label: { zh: '门店面积', en: 'Store area' },
      decimals: 1,
      min: 0,
      max: 100_000,
      unit: { zh: '平方米', en: 'm²' },
      group: plan,
      width: 100,
    }),
    hasShop: f.boolean({ label: { zh: '已有店面', en: 'Has premises' }, group: plan, width: 90 }),
    budget: f.money({ label: { zh: '预算', en: 'Budget' }, min: 0, group: plan, width: 120 }),
    message: f.longText({ label: { zh: '留言', en: 'Message' }, max: 1000, group: plan }),
    followUser: f.ref('user', {
      onRemoval: 'keep',
      label: { zh: '跟进人', en: 'Owner' },
      labelKey: 'followUserName',
      search: 'eq',
      group: followUp,
      width: 110,
    }),
    nextFollowTime: f.datetime({
      label: { zh: '下次跟进', en: 'Next follow-up' },
      search: 'range',
      group: followUp,
      width: 160,
    }),
    followRemark: f.longText({
      label: { zh: '最近跟进', en: 'Last activity' },
      max: 1000,
      form: 'read',
      group: followUp,
    }),
    lastFollowTime: f.datetime({
      label: { zh: '最近跟进时间', en: 'Last activity time' },
      form: 'read',
      group: followUp,
      width: 160,
    }),
    followCount: f.number({
      label: { zh: '跟进次数', en: 'Activities' },
      form: 'read',
      default: 0,
      group: followUp,
      width: 90,
    }),
    closeTime: f.datetime({ label: { zh: '结束时间', en: 'Closed' }, form: 'read', group: followUp, width: 160 }),
    remark: longRemarkField(),
  },
  list: {
    columns: ['name', 'phone', 'status', 'district', 'budget', 'followUser', 'nextFollowTime', 'source', 'createTime'],
    time: 'createTime',
  },
  row: { sub: ['district', 'followUser'], late: 'nextFollowTime' },
  indexes: [['status'], ['followUser', 'nextFollowTime']],
  states: defineStates({
    field: 'status',
    values: LEAD_STATE,
    initial: ['fresh'],
    moves: {
      follow: { from: ['fresh', 'contact'], to: 'contact' },
      sign: { from: ['contact'], to: 'signed' },
      reject: { from: ['fresh', 'contact'], to: 'rejected' },
    },
  }),
  actions: {
    follow: {
      on: 'row',
      label: { zh: '跟进', en: 'Follow up' },
      answer: objectSchema({ id: rowIdSchema, status: nullableSchema(integerSchema) }),
      icon: 'phone',
      input: {
        way: f.dict('lead_way', { label: { zh: '跟进方式', en: 'Type' }, required: true, default: 'phone' }),
        content: f.longText({ label: { zh: '跟进内容', en: 'Details' }, required: true, max: 1000 }),
        nextFollowTime: f.datetime({
          label: { zh: '下次跟进', en: 'Next follow-up' },
          help: { zh: '到时间提醒跟进人', en: 'The owner is reminded at this time' },
        }),
      },
    },
    sign: {
      on: 'row',
      label: { zh: '签约', en: 'Sign' },
      answer: objectSchema({ id: rowIdSchema, status: nullableSchema(integerSchema) }),
      icon: 'file-done',
      input: { content: f.longText({ label: { zh: '签约说明', en: 'Note' }, max: 1000 }) },
    },
    reject: {
      on: 'row',
      label: { zh: '不通过', en: 'Reject' },
      answer: objectSchema({ id: rowIdSchema, status: nullableSchema(integerSchema) }),
      icon: 'close-circle',
      danger: true,
      input: { content: f.longText({ label: { zh: '原因', en: 'Reason' }, required: true, max: 1000 }) },
    },
  },
})

/** A contact with a lead: what was said, and when to call again. */
export const joinUsFollow = defineResource({
  name: 'joinUsFollow',
  path: '/api/shop/joinUs/follow',
  code: 'joinUs',
  label: { zh: '跟进记录', en: 'Lead activity' },
  tenancy: 'tenant',
  writer: 'system',
  appendOnly: true,
  title: 'content',
  fields: {
    joinId: f.ref('joinUs', { label: { zh: '加盟申请', en: 'Lead' }, labelKey: 'joinName', search: 'eq' }),
    way: f.dict('lead_way', { label: { zh: '跟进方式', en: 'Type' }, width: 100 }),
    status: f.dict('lead_status', { label: { zh: '状态', en: 'Status' }, numeric: true, width: 100 }),
    content: f.longText({ label: { zh: '内容', en: 'Details' }, max: 1000 }),
    nextFollowTime: f.datetime({ label: { zh: '下次跟进', en: 'Next follow-up' }, width: 160 }),
    userId: f.ref('user', { label: { zh: '跟进人', en: 'By' }, labelKey: 'userName', width: 110 }),
  },
  list: { columns: ['createTime', 'way', 'content', 'nextFollowTime', 'userId', 'status'], time: 'createTime' },
  indexes: [['joinId', 'createTime']],
})
