import { defineDict, defineResource, f } from '#kit/resource/index.ts'

export const approvalModeDictionary = defineDict({
  code: 'flow_rule_mode',
  label: { zh: '审批方式', en: 'Approval mode' },
  entries: [
    { key: 'any', zh: '任一人同意', en: 'Any approver' },
    { key: 'all', zh: '全部同意', en: 'All approvers' },
    { key: 'order', zh: '依次同意', en: 'In sequence' },
  ],
})

/** An approval rule: which operation needs whose approval, and when. The module of the operation is not involved. */
export const flowRule = defineResource({
  name: 'flowRule',
  path: '/api/blade-flow/rule',
  code: 'flow_rule',
  label: { zh: '审批规则', en: 'Approval rule' },
  tenancy: 'tenant',
  menu: { under: 'flow', path: '/flow/rule', icon: 'safety', sort: 4 },
  title: 'name',
  fields: {
    name: f.text({ label: { zh: '规则名称', en: 'Rule name' }, required: true, max: 100, search: 'like', width: 180 }),
    act: f.text({
      label: { zh: '操作', en: 'Action' },
      required: true,
      max: 200,
      search: 'eq',
      width: 220,
      help: { zh: '需要审批的操作', en: 'Action requiring approval' },
    }),
    condition: f.longText({
      label: { zh: '条件', en: 'Condition' },
      max: 1000,
      help: {
        zh:
          '留空为每次都审批。可用 before、after（数据改前改后，按字段名）、args（提交内容）、count（条数）、' +
          'hour（几点）、roles（本人角色），例如 ${before.salePrice > 0 && after.salePrice < before.salePrice * 0.8}；' +
          '条件无法判断时按需要审批处理',
        en:
          'Leave blank to always require approval. You can use before and after (data before and after, by ' +
          'field name), args (submitted content), count (rows), hour and roles (of the requester), for ' +
          'example, ${before.salePrice > 0 && after.salePrice < before.salePrice * 0.8}. If the condition ' +
          'cannot be evaluated, approval is required.',
      },
    }),
    processId: f.ref('flowProcess', {
      label: { zh: '审批流程', en: 'Approval process' },
      help: { zh: '不选则由所选的人审批', en: 'Leave blank to have the selected people approve' },
      onRemoval: 'refuse',
      width: 140,
    }),
    userIds: f.refs('user', { label: { zh: '审批人', en: 'Approvers' }, onRemoval: 'empty', width: 160 }),
    roleIds: f.refs('role', {
      label: { zh: '审批角色', en: 'Approver roles' },
      onRemoval: 'empty',
      width: 160,
    }),
    mode: f.dict('flow_rule_mode', { label: { zh: '审批方式', en: 'Approval mode' }, default: 'any', width: 110 }),
    hours: f.number({
      label: { zh: '有效小时', en: 'Valid for (hours)' },
      min: 1,
      max: 720,
      default: 72,
      help: { zh: '过时未批即作废', en: 'Expires if not approved in time' },
    }),
    enabled: f.boolean({ label: { zh: '启用', en: 'Active' }, default: true, search: 'eq', width: 80 }),
  },
  list: { columns: ['name', 'act', 'enabled', 'condition', 'userIds', 'mode'], time: false, inline: ['enabled'] },
  buttons: { import: false },
})
