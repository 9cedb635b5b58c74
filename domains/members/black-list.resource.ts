import { standing } from './time-state.ts'
import { wxUserId, customerPhone } from './wx-user.resource.ts'
import { allShops, shopId } from '#domains/shops/index.ts'
import { defineResource, f, remark, reason, startTime, endTime } from '#kit/resource/index.ts'

/**
 * Who is not let in, where, why and how long. An entry rests on a proof, ends by the clock, and may be appealed
 * (`blackAppeal`).
 */
export const blackList = defineResource({
  name: 'blackList',
  path: '/api/shop/blackList',
  label: { zh: '黑名单', en: 'Blacklist' },
  tenancy: 'tenant',
  menu: { under: 'shop', path: '/shop/blackList', icon: 'stop', sort: 60 },
  title: 'reason',
  fields: {
    wxUserId: wxUserId({ width: 150, help: { zh: '顾客和手机号至少填一项', en: 'A customer, a phone, or both' } }),
    phone: customerPhone({ requiredWhen: { wxUserId: { eq: '' } } }),
    shopId: shopId({
      blank: allShops,
      requiredOf: 'shop',
      help: {
        zh: '管理员不选则全部门店禁止进入；店主和店员只能选自己的门店',
        en: 'Left empty by an administrator, none of the shops lets them in; people of shops choose one of theirs',
      },
    }),
    reason: reason({
      required: true,
      search: 'like',
      width: 200,
      usual: [
        { zh: '未付款带走商品', en: 'Took goods without paying' },
        { zh: '恶意退款', en: 'False refunds' },
        { zh: '损坏设备', en: 'Damaged equipment' },
      ],
    }),
    pictures: f.pictures({
      label: { zh: '证据图片', en: 'Evidence' },
      requiredWhen: { visitId: { eq: '' } },
      help: { zh: '图片或到店记录至少有一项', en: 'Pictures, a visit, or both' },
      width: 100,
    }),
    visitId: f.ref('customerVisitLog', {
      label: { zh: '到店记录', en: 'Visit' },
      same: 'wxUserId',
      help: { zh: '只列出所选顾客的到店记录', en: 'Those of the customer that is chosen' },
      labelKey: 'visitTime',
      search: 'eq',
      width: 160,
    }),
    startTime: startTime({ help: { zh: '不填则从现在起', en: 'Left empty, from now' } }),
    // Entries from before each had to end have none.
    endTime: endTime({ requiredWhen: {}, help: { zh: '到时自动解除', en: 'It ends by itself then' } }),
    state: standing(),
    liftReason: f.text({ label: { zh: '解除原因', en: 'Why it was lifted' }, max: 200, form: 'read' }),
    remark: remark(),
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
  indexes: [['wxUserId'], ['phone'], ['shopId', 'createTime', 'id'], ['endTime']],
  actions: {
    lift: {
      on: 'row',
      label: { zh: '解除', en: 'Lift' },
      icon: 'unlock',
      input: { liftReason: f.text({ label: { zh: '解除原因', en: 'Why' }, required: true, max: 200 }) },
    },
  },
})
