import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  dict_key_taken: { zh: '当前字典键值已存在!', en: 'This dictionary key already exists' },
  dict_code_taken: { zh: '字典编号 {code} 已存在', en: 'Dictionary code {code} already exists' },
  management_tenant_stays: { zh: '不可删除管理租户!', en: 'The management tenant cannot be deleted' },
  management_tenant_unlimited: {
    zh: '管理租户不受额度、有效期和产品包限制',
    en: 'The management tenant has no limits, expiry or package',
  },
  tenant_still_open: {
    zh: '租户 {tenantId} 仍在使用，请先在“授权配置”中将有效期设为已过的时间',
    en: 'Tenant {tenantId} is still active. Set its expiry to a past date under “License settings” first.',
  },
  removal_twice: {
    zh: '租户 {tenantId} 已申请清除，无需重复申请',
    en: 'Deletion of tenant {tenantId} has already been requested',
  },
  removal_unconfirmed: { zh: '输入的租户编号不一致', en: 'The tenant number does not match' },
  removal_second_person: {
    zh: '马上删除要由申请人以外的平台管理员确认；或等到计划时间',
    en:
      'Immediate deletion must be confirmed by another platform administrator than the requester. Or ' +
      'wait until it is due.',
  },
  domain_taken: { zh: '域名 {domain} 已被其他租户使用', en: 'Domain {domain} is already used by another tenant' },
  tenant_no_free_number: { zh: '没有可用的租户编号', en: 'No tenant numbers are available' },
  client_self: { zh: '不能删除当前登录所用的客户端', en: 'You cannot delete the client you are signed in with' },
  param_in_use: {
    zh: '参数 {key} 为系统内置，不能删除或改名',
    en: 'Parameter {key} is built in. It cannot be deleted or renamed.',
  },
  region_level: { zh: '{name} 的区划级别必须低于上级', en: 'The level of {name} must be lower than its parent' },
  region_root: { zh: '国家根节点不能删除或移动', en: 'The country root cannot be deleted or moved' },
  sheet_rows: { zh: '导入失败：{rows}', en: 'Import failed: {rows}' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
