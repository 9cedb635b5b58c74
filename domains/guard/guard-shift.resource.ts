import { allShops, shopIds } from '#domains/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

/** One person's watch over shops, and the hand-over that it wrote itself when it ended. */
export const guardShift = defineResource({
  name: 'guardShift',
  path: '/api/shop/guardShift',
  label: { zh: '值班', en: 'Watch' },
  tenancy: 'tenant',
  writer: 'system',
  scope: { shop: 'shopIds' },
  menu: { under: 'guard', path: '/guard/guardShift', icon: 'schedule', sort: 30 },
  title: 'startTime',
  fields: {
    userId: f.ref('user', { label: { zh: '值班人', en: 'On watch' }, labelKey: 'userName', search: 'eq', width: 120 }),
    status: f.dict('guard_shift_status', {
      label: { zh: '状态', en: 'State' },
      numeric: true,
      search: 'eq',
      width: 100,
    }),
    startTime: f.datetime({ label: { zh: '开始', en: 'From' }, search: 'range', width: 160 }),
    endTime: f.datetime({ label: { zh: '结束', en: 'Until' }, width: 160 }),
    shopIds: shopIds({ label: { zh: '看守门店', en: 'Shops' }, blank: allShops, width: 160 }),
    came: f.number({ label: { zh: '出现', en: 'Came' }, default: 0, width: 80 }),
    done: f.number({ label: { zh: '处理', en: 'Done' }, default: 0, width: 80 }),
    itself: f.number({ label: { zh: '自行恢复', en: 'By itself' }, default: 0, width: 90 }),
    left: f.number({ label: { zh: '留给下一班', en: 'Left open' }, default: 0, width: 100 }),
    answerP95: f.number({
      label: { zh: '95% 响应不超过', en: '95% answered within' },
      unit: { zh: '秒', en: 's' },
      width: 130,
    }),
    handover: f.json({ label: { zh: '交班内容', en: 'Hand-over' }, form: 'hidden', detail: false }),
    note: f.longText({ label: { zh: '补充说明', en: 'Note' }, max: 2000, detail: false, width: 200 }),
    // Set while it runs, so that the database itself knows one watch of a person.
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
  actions: {
    begin: {
      on: 'toolbar',
      label: { zh: '开始值班', en: 'Go on watch' },
      icon: 'login',
      done: { zh: '已开始值班', en: 'You are on watch' },
    },
    end: {
      on: 'row',
      label: { zh: '交班', en: 'Hand over' },
      icon: 'logout',
      confirm: { zh: '结束值班并写下交班内容？', en: 'End the watch and write its hand-over?' },
      enabled: { status: { eq: 0 } },
      input: { note: f.longText({ label: { zh: '补充说明', en: 'Note' }, max: 500 }) },
    },
    amend: {
      on: 'row',
      label: { zh: '补充说明', en: 'Add a note' },
      icon: 'edit',
      input: { note: f.longText({ label: { zh: '补充说明', en: 'Note' }, required: true, max: 500 }) },
    },
  },
})
