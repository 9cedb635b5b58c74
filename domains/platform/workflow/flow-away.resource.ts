import { defineResource, f } from '#kit/resource/index.ts'

/** An absence with a deputy, who gets the absent person's tasks meanwhile. */
export const flowAway = defineResource({
  name: 'flowAway',
  path: '/api/blade-flow/away',
  code: 'flow_away',
  label: { zh: '代理设置', en: 'Delegation' },
  tenancy: 'tenant',
  menu: { under: 'work', path: '/work/away', icon: 'swap', sort: 7 },
  title: 'reason',
  fields: {
    userId: f.ref('user', {
      label: { zh: '外出人', en: 'Delegator' },
      required: true,
      search: 'eq',
      onRemoval: 'remove',
      width: 120,
    }),
    deputyId: f.ref('user', {
      label: { zh: '代理人', en: 'Delegate' },
      required: true,
      search: 'eq',
      onRemoval: 'remove',
      width: 120,
    }),
    startTime: f.datetime({ label: { zh: '开始时间', en: 'Start' }, required: true, search: 'range', width: 160 }),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'End' }, isEnd: true, required: true, width: 160 }),
    handOver: f.boolean({
      label: { zh: '转交待办', en: 'Include open tasks' },
      help: {
        zh: '开始时把已有的待办也交给代理人',
        en: 'Existing open tasks are also handed to the delegate at the start',
      },
      default: true,
    }),
    reason: f.text({ label: { zh: '原因', en: 'Reason' }, max: 200 }),
  },
  list: { columns: ['userId', 'deputyId', 'startTime', 'endTime', 'handOver', 'reason'], sort: '-startTime' },
  buttons: { import: false },
})
