import { ALL_SHOPS_LABEL, shopIdsField } from '#domains/shops/shops/index.ts'
import {
  defineResource,
  defineStates,
  f,
  objectSchema,
  rowIdSchema,
  nullableSchema,
  textSchema,
  integerSchema,
} from '#kit/resource/index.ts'
import { GUARD_SHIFT_STATE } from './dictionaries.ts'

/** Shift of a person at the desk, with the handover written automatically at its end. */
export const guardShift = defineResource({
  name: 'guardShift',
  path: '/api/shop/guardShift',
  label: { zh: '值班', en: 'Shift' },
  tenancy: 'tenant',
  writer: 'system',
  scope: { shop: 'shopIds' },
  menu: { under: 'guard', path: '/guard/guardShift', icon: 'schedule', sort: 30 },
  title: 'startTime',
  fields: {
    userId: f.ref('user', { label: { zh: '值班人', en: 'On shift' }, labelKey: 'userName', search: 'eq', width: 120 }),
    status: f.dict('guard_shift_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      search: 'eq',
      width: 100,
    }),
    startTime: f.datetime({ label: { zh: '开始', en: 'Start' }, search: 'range', width: 160 }),
    endTime: f.datetime({ label: { zh: '结束', en: 'End' }, width: 160 }),
    shopIds: shopIdsField({ label: { zh: '看守门店', en: 'Stores covered' }, emptyLabel: ALL_SHOPS_LABEL, width: 160 }),
    came: f.number({ label: { zh: '出现', en: 'New cases' }, default: 0, width: 80 }),
    done: f.number({ label: { zh: '处理', en: 'Closed' }, default: 0, width: 80 }),
    itself: f.number({ label: { zh: '自行恢复', en: 'Auto-resolved' }, default: 0, width: 90 }),
    left: f.number({ label: { zh: '留给下一班', en: 'Left open' }, default: 0, width: 100 }),
    answerP95: f.number({
      label: { zh: '95% 响应不超过', en: 'Response time (p95)' },
      unit: { zh: '秒', en: 's' },
      width: 130,
    }),
    handover: f.json({ label: { zh: '交班内容', en: 'Handover notes' }, form: 'hidden', detail: false }),
    note: f.longText({ label: { zh: '补充说明', en: 'Note' }, max: 2000, detail: false, width: 200 }),
    // Unique while the shift runs, so that a person has only one.
    openKey: f.text({
      label: { zh: '未结标识', en: 'Open key' },
      max: 40,
      form: 'hidden',
      detail: false,
      secret: true,
    }),
  },
  list: {
    columns: [
      'userId',
      'status',
      'startTime',
      'endTime',
      'came',
      'done',
      'itself',
      'left',
      'answerP95',
      'shopIds',
      'note',
    ],
    sort: '-startTime',
  },
  unique: [['openKey']],
  states: defineStates({
    field: 'status',
    values: GUARD_SHIFT_STATE,
    initial: ['running'],
    moves: { end: { from: ['running'], to: 'over' } },
  }),
  actions: {
    begin: {
      on: 'toolbar',
      label: { zh: '开始值班', en: 'Start shift' },
      answer: objectSchema({ id: rowIdSchema, startTime: nullableSchema(textSchema) }),
      icon: 'login',
      done: { zh: '已开始值班', en: 'Shift started' },
    },
    end: {
      on: 'row',
      label: { zh: '交班', en: 'End shift' },
      icon: 'logout',
      confirm: { zh: '结束值班并写下交班内容？', en: 'End your shift and generate the handover notes?' },
      input: { note: f.longText({ label: { zh: '补充说明', en: 'Note' }, max: 500 }) },
      answer: objectSchema({
        id: rowIdSchema,
        came: integerSchema,
        done: integerSchema,
        itself: integerSchema,
        left: integerSchema,
      }),
    },
    amend: {
      on: 'row',
      label: { zh: '补充说明', en: 'Add note' },
      icon: 'edit',
      input: { note: f.longText({ label: { zh: '补充说明', en: 'Note' }, required: true, max: 500 }) },
      answer: objectSchema({ id: rowIdSchema, note: nullableSchema(textSchema) }),
    },
  },
})
