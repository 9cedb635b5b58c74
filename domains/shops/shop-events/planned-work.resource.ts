import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f } from '#kit/resource/index.ts'

/** Planned work in a shop: while it lasts, events are stored but nobody is notified. */
export const plannedWork = defineResource({
  name: 'plannedWork',
  path: '/api/shop/plannedWork',
  label: { zh: '计划作业', en: 'Maintenance window' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'shop', path: '/shop/plannedWork', icon: 'tool', sort: 22 },
  title: 'reason',
  fields: {
    shopId: shopIdField({ required: true, onRemoval: 'remove' }),
    reason: f.text({ label: { zh: '原因', en: 'Reason' }, required: true, max: 100, search: 'like', width: 220 }),
    startTime: f.datetime({ label: { zh: '开始时间', en: 'Start' }, required: true, search: 'range', width: 160 }),
    endTime: f.datetime({ label: { zh: '结束时间', en: 'End' }, isEnd: true, required: true, width: 160 }),
  },
  list: { columns: ['reason', 'shopId', 'startTime', 'endTime', 'createUser'], sort: '-startTime' },
  indexes: [['shopId', 'endTime']],
})
