import { defineResource, f, longRemarkField } from '#kit/resource/index.ts'

/** The largest refund that holders of a role may approve. */
export const refundLimit = defineResource({
  name: 'refundLimit',
  path: '/api/shop/refundLimit',
  label: { zh: '退款审核额度', en: 'Refund approval limit' },
  tenancy: 'tenant',
  ownFields: false,
  menu: { under: 'order', path: '/order/refundLimit', icon: 'safety', sort: 70 },
  title: 'roleId',
  fields: {
    roleId: f.ref('role', {
      onRemoval: 'remove',
      label: { zh: '角色', en: 'Role' },
      labelKey: 'roleName',
      required: true,
      search: 'eq',
      width: 180,
    }),
    amount: f.money({
      label: { zh: '单笔最多', en: 'Limit per refund' },
      required: true,
      min: 0,
      max: 99_999_999,
      width: 140,
      help: {
        zh: '租户管理员不限；没有设置的角色按 200 元；有多个角色的人取最大的',
        en:
          'Tenant administrators have no limit. Roles without a setting have ¥200. The highest limit of a ' +
          'person counts.',
      },
    }),
    remark: longRemarkField(),
  },
  list: { inline: ['amount'], columns: ['roleId', 'amount', 'remark', 'updateTime'], time: false, sort: '-createTime' },
  unique: [['roleId']],
})
