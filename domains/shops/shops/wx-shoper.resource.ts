import { shopIdsField } from './basic-shop-info.resource.ts'
import { defineResource, f, longRemarkField } from '#kit/resource/index.ts'

/** WeChat account of a boss, linked to a user. */
export const wxShoper = defineResource({
  name: 'wxShoper',
  path: '/api/shop/wxShoper',
  label: { zh: '店主微信', en: 'Owner WeChat account' },
  tenancy: 'tenant',
  scope: { shop: 'shopIds' },
  menu: { under: 'shop', path: '/shop/wxShoper', icon: 'wechat', sort: 60 },
  title: 'nickname',
  titleCode: 'phone',
  fields: {
    nickname: f.text({ label: { zh: '昵称', en: 'Nickname' }, required: true, max: 50, search: 'like', width: 130 }),
    openid: f.text({
      label: { zh: 'OpenID', en: 'OpenID' },
      required: true,
      max: 64,
      form: 'add',
      search: 'eq',
      width: 220,
    }),
    phone: f.phone({
      label: { zh: '手机号', en: 'Mobile number' },
      mask: 'phone',
      unmaskedFor: 'edit',
      search: 'like',
      width: 130,
    }),
    role: f.dict('shop_position', {
      label: { zh: '岗位', en: 'Position' },
      required: true,
      default: 'boss',
      search: 'eq',
      width: 90,
    }),
    userId: f.ref('user', {
      onRemoval: 'empty',
      label: { zh: '后台账号', en: 'Account' },
      labelKey: 'userName',
      search: 'eq',
      help: { zh: '绑定后，此账号看得到下面的门店', en: 'Once linked, this account sees the stores below' },
      width: 120,
    }),
    shopIds: shopIdsField({ search: 'in', width: 260 }),
    bindTime: f.datetime({ label: { zh: '绑定时间', en: 'Linked' }, form: 'read', width: 160 }),
    remark: longRemarkField(),
  },
  list: { columns: ['nickname', 'phone', 'role', 'userId', 'shopIds', 'bindTime', 'openid'], time: false },
  unique: [['openid']],
  indexes: [['userId']],
})
