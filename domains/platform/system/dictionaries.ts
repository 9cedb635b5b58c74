import { defineDict } from '#kit/resource/index.ts'
import { tenantRemovalStateDictionary } from './tenant-removal.resource.ts'

const yesNo = defineDict({
  code: 'yes_no',
  label: { zh: '是否', en: 'Yes/no' },
  entries: [
    { key: '1', zh: '否', en: 'No', colour: 'default' },
    { key: '2', zh: '是', en: 'Yes', colour: 'success' },
  ],
})

const sealed = defineDict({
  code: 'sealed',
  label: { zh: '封存', en: 'Archived' },
  entries: [
    { key: '0', zh: '否', en: 'No', colour: 'default' },
    { key: '1', zh: '是', en: 'Yes', colour: 'warning' },
  ],
})

const regionLevel = defineDict({
  code: 'region',
  label: { zh: '行政区划级别', en: 'Region level' },
  entries: [
    { key: '0', zh: '国家', en: 'Country' },
    { key: '1', zh: '省份/直辖市', en: 'Province' },
    { key: '2', zh: '地市', en: 'City' },
    { key: '3', zh: '区县', en: 'District' },
    { key: '4', zh: '乡镇', en: 'Town' },
    { key: '5', zh: '村委', en: 'Village' },
  ],
})

const grantType = defineDict({
  code: 'grant_type',
  label: { zh: '授权类型', en: 'Grant type' },
  entries: [
    { key: 'authorization_code', zh: '授权码', en: 'Authorization code' },
    { key: 'password', zh: '密码', en: 'Password' },
    { key: 'captcha', zh: '验证码', en: 'Captcha' },
    { key: 'refresh_token', zh: '刷新令牌', en: 'Refresh token' },
    { key: 'social', zh: '第三方登录', en: 'Third-party sign-in' },
  ],
})

/** Process categories; workflow screens find their page by the remark (wire contract §10.1). */
const flow = defineDict({
  code: 'flow',
  label: { zh: '流程类型', en: 'Process category' },
  entries: [
    { key: '1', zh: '请假流程', en: 'Leave process', remark: 'leave' },
    { key: '2', zh: '报销流程', en: 'Expense process', remark: 'expense' },
  ],
})

export const systemModuleDictionaries = [yesNo, sealed, regionLevel, grantType, flow, tenantRemovalStateDictionary]
