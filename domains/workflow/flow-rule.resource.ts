import { defineDict, defineResource, f } from '#kit/resource/index.ts'

export const flowRuleMode = defineDict({
  code: 'flow_rule_mode',
  label: { zh: '审批方式', en: 'Who has to agree' },
  entries: [
    { key: 'any', zh: '任一人同意', en: 'Any one of them' },
    { key: 'all', zh: '全部同意', en: 'All of them' },
    { key: 'order', zh: '依次同意', en: 'One after the other' },
  ],
})

/** Which act waits for whose consent, and when. The room that owns the act knows nothing of it. */
export const flowRule = defineResource({
  name: 'flowRule',
  path: '/api/blade-flow/rule',
  code: 'flow_rule',
  label: { zh: '审批规则', en: 'Approval rule' },
  tenancy: 'tenant',
  menu: { under: 'flow', path: '/flow/rule', icon: 'safety', sort: 4 },
  title: 'name',
  fields: {
    name: f.text({ label: { zh: '规则名称', en: 'Name' }, required: true, max: 100, search: 'like', width: 180 }),
    act: f.text({
      label: { zh: '操作', en: 'Act' },
      required: true,
      max: 200,
      search: 'eq',
      width: 220,
      help: { zh: '需要审批的操作', en: 'What is held until they agree' },
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
          'Always when empty. It may ask before and after (the row, by its fields), args (what was sent), count, ' +
          'hour and roles (of who asks): ${before.salePrice > 0 && after.salePrice < before.salePrice * 0.8}. ' +
          'Where it cannot be decided the act is held',
      },
    }),
    processId: f.ref('flowProcess', {
      label: { zh: '审批流程', en: 'Process' },
      help: { zh: '不选则由所选的人审批', en: 'Without one, the people named here decide' },
      onRemoval: 'refuse',
      width: 140,
    }),
    userIds: f.refs('user', { label: { zh: '审批人', en: 'Who decides' }, onRemoval: 'empty', width: 160 }),
    roleIds: f.refs('role', {
      label: { zh: '审批角色', en: 'Or holders of these roles' },
      onRemoval: 'empty',
      width: 160,
    }),
    mode: f.dict('flow_rule_mode', { label: { zh: '审批方式', en: 'How many' }, default: 'any', width: 110 }),
    hours: f.number({
      label: { zh: '有效小时', en: 'Good for hours' },
      min: 1,
      max: 720,
      default: 72,
      help: { zh: '过时未批即作废', en: 'Not agreed by then, it is void' },
    }),
    enabled: f.boolean({ label: { zh: '启用', en: 'In force' }, default: true, search: 'eq', width: 80 }),
  },
  list: { columns: ['name', 'act', 'enabled', 'condition', 'userIds', 'mode'], time: false, inline: ['enabled'] },
  buttons: { import: false },
})
