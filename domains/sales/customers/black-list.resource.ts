import { periodStateField } from './time-state.ts'
import { wxUserIdField, customerPhoneField } from './wx-user.resource.ts'
import { ALL_SHOPS_LABEL, shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, remarkField, reasonField, startTimeField, endTimeField } from '#kit/resource/index.ts'

/**
 * Who is not let in, where, why and how long. An entry rests on a proof, ends by the clock, and may be appealed
 * (`blackAppeal`).
 */
export const blackList = defineResource({
  name: 'blackList',
  path: '/api/shop/blackList',
  label: { zh: '黑名单', en: 'Blocklist entry', many: 'Blocklist' },
  tenancy: 'tenant',
  menu: { under: 'shop', path: '/shop/blackList', icon: 'stop', sort: 60 },
  title: 'reason',
  fields: {
    wxUserId: wxUserIdField({
      width: 150,
      help: { zh: '顾客和手机号至少填一项', en: 'Enter a customer, a phone number, or both' },
    }),
    phone: customerPhoneField({ requiredWhen: { wxUserId: { eq: '' } } }),
    shopId: shopIdField({
      emptyLabel: ALL_SHOPS_LABEL,
      requiredOf: 'shop',
      help: {
        zh: '管理员不选则全部门店禁止进入；店主和店员只能选自己的门店',
        en: 'Administrators: leave blank to block all stores. Store owners and staff can only select their own stores.',
      },
    }),
    reason: reasonField({
      required: true,
      search: 'like',
      width: 200,
      suggestions: [
        { zh: '未付款带走商品', en: 'Took products without paying' },
        { zh: '恶意退款', en: 'Refund abuse' },
        { zh: '损坏设备', en: 'Damaged equipment' },
      ],
    }),
    pictures: f.pictures({
      label: { zh: '证据图片', en: 'Evidence photos' },
      requiredWhen: { visitId: { eq: '' } },
      help: { zh: '图片或到店记录至少有一项', en: 'Enter photos, a visit, or both' },
      width: 100,
    }),
    visitId: f.ref('customerVisitLog', {
      label: { zh: '到店记录', en: 'Visit' },
      same: 'wxUserId',
      help: { zh: '只列出所选顾客的到店记录', en: 'Only visits of the selected customer are listed' },
      labelKey: 'visitTime',
      search: 'eq',
      width: 160,
    }),
    startTime: startTimeField({ help: { zh: '不填则从现在起', en: 'Leave blank to start now' } }),
    // Older entries have no end.
    endTime: endTimeField({ requiredWhen: {}, help: { zh: '到时自动解除', en: 'Lifted automatically at this time' } }),
    state: periodStateField(),
    liftReason: f.text({ label: { zh: '解除原因', en: 'Lift reason' }, max: 200, form: 'read' }),
    remark: remarkField(),
  },
  list: {
    columns: [
      'wxUserId',
      'phone',
      'shopId',
      'reason',
      'state',
      'startTime',
      'endTime',
      'pictures',
      'visitId',
      'createUser',
      'createTime',
    ],
    time: 'createTime',
    sort: '-createTime',
  },
  row: { title: ['wxUserId', 'phone'], sub: ['shopId', 'reason'] },
  indexes: [['wxUserId'], ['phone'], ['shopId', 'createTime', 'id'], ['endTime']],
  actions: {
    lift: {
      on: 'row',
      label: { zh: '解除', en: 'Lift' },
      icon: 'unlock',
      input: { liftReason: f.text({ label: { zh: '解除原因', en: 'Lift reason' }, required: true, max: 200 }) },
    },
  },
})
