import { wxUserIdField } from '#domains/sales/customers/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, defineStates, f } from '#kit/resource/index.ts'
import { GUARD_CASE_STATE } from './dictionaries.ts'

const course = { zh: '处理', en: 'Handling' }
const about = { zh: '相关', en: 'Related' }

/**
 * A case: something in a shop that needs a person now, such as an event, a suspicious visit or a refund request. It has
 * the id of that row and follows it by trigger (`case-triggers.ts`); what people do is stored here.
 */
export const guardCase = defineResource({
  name: 'guardCase',
  path: '/api/shop/guardCase',
  label: { zh: '值守事件', en: 'Case' },
  tenancy: 'tenant',
  writer: 'system',
  history: false,
  scope: { shop: 'shopId' },
  menu: { under: 'guard', path: '/guard/guardCase', icon: 'profile', sort: 20 },
  title: 'kind',
  fields: {
    kind: f.dict('guard_kind', { label: { zh: '类型', en: 'Type' }, search: 'eq', width: 130 }),
    shopId: shopIdField(),
    status: f.dict('guard_case_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      search: 'in',
      width: 100,
    }),
    level: f.dict('event_level', { label: { zh: '级别', en: 'Severity' }, numeric: true, width: 80 }),
    cameTime: f.datetime({ label: { zh: '出现时间', en: 'Reported' }, search: 'range', width: 160 }),
    takerId: f.ref('user', {
      label: { zh: '接手人', en: 'Assignee' },
      labelKey: 'takerName',
      search: 'eq',
      group: course,
      width: 110,
    }),
    takeTime: f.datetime({ label: { zh: '接手时间', en: 'Taken' }, group: course, width: 160 }),
    firstTime: f.datetime({ label: { zh: '首次响应', en: 'First response' }, group: course }),
    answerSeconds: f.number({
      label: { zh: '响应用时', en: 'Response time' },
      computed: true,
      unit: { zh: '秒', en: 's' },
      group: course,
      width: 100,
    }),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'Ended' }, group: course, width: 160 }),
    lastedSeconds: f.number({
      label: { zh: '总用时', en: 'Total time' },
      computed: true,
      unit: { zh: '秒', en: 's' },
      group: course,
      width: 100,
    }),
    outcome: f.dict('guard_outcome', {
      label: { zh: '处理结果', en: 'Outcome' },
      search: 'eq',
      group: course,
      width: 120,
    }),
    remark: f.longText({ label: { zh: '处理说明', en: 'Resolution note' }, max: 500, group: course, width: 200 }),
    eventId: f.ref('event', {
      label: { zh: '门店事件', en: 'Store event' },
      labelKey: 'eventContent',
      search: 'eq',
      group: about,
      width: 200,
    }),
    visitId: f.ref('customerVisitLog', {
      label: { zh: '到店记录', en: 'Visit' },
      labelKey: 'visitTime',
      search: 'eq',
      group: about,
    }),
    refundId: f.ref('refunds', {
      label: { zh: '退款', en: 'Refund' },
      labelKey: 'refundNo',
      search: 'eq',
      group: about,
    }),
    wxUserId: wxUserIdField({ group: about, width: 120 }),
  },
  list: {
    columns: [
      'kind',
      'shopId',
      'status',
      'level',
      'cameTime',
      'takerId',
      'answerSeconds',
      'endTime',
      'lastedSeconds',
      'outcome',
      'eventId',
    ],
    time: 'cameTime',
    sort: '-createTime',
  },
  row: { title: 'kind', sub: ['shopId', 'takerId'] },
  indexes: [
    ['status', 'cameTime'],
    ['takerId', 'cameTime'],
  ],
  states: defineStates({
    field: 'status',
    values: GUARD_CASE_STATE,
    initial: ['waiting'],
    moves: {
      // Acknowledging its event takes the case too.
      claim: { from: ['waiting', 'taken'], to: 'taken', label: { zh: '接手', en: 'Take' } },
      release: { from: ['taken'], to: 'waiting', label: { zh: '放回', en: 'Release' } },
      finish: { from: ['taken'], to: 'done', label: { zh: '处理完', en: 'Close' } },
      acknowledge: { from: ['waiting'], to: 'taken', by: 'trigger' },
      decideElsewhere: { from: ['waiting', 'taken'], to: 'done', by: 'trigger' },
      recover: { from: ['waiting', 'taken'], to: 'itself', by: 'trigger' },
      reopen: { from: ['done', 'itself'], to: 'waiting', by: 'trigger' },
    },
  }),
  permissions: {
    claim: { zh: '接手处理', en: 'Take case' },
    handOver: { zh: '移交他人', en: 'Hand off case' },
    say: { zh: '喊话', en: 'Talk down' },
  },
})
