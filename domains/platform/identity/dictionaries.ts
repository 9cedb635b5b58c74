import { defineDict } from '#kit/resource/index.ts'

export const sexDictionary = defineDict({
  code: 'sex',
  label: { zh: '性别', en: 'Gender' },
  entries: [
    { key: '1', zh: '男', en: 'Male' },
    { key: '2', zh: '女', en: 'Female' },
    { key: '3', zh: '未知', en: 'Unknown' },
  ],
})

export const userTypeDictionary = defineDict({
  code: 'user_type',
  label: { zh: '用户类型', en: 'User type' },
  entries: [
    { key: '1', zh: 'WEB', en: 'Web', colour: 'geekblue' },
    { key: '2', zh: 'APP', en: 'App', colour: 'purple' },
    { key: '3', zh: '其他', en: 'Other' },
  ],
})

export const userStatusDictionary = defineDict({
  code: 'user_status',
  label: { zh: '用户状态', en: 'User status' },
  entries: [
    { key: '1', zh: '正常', en: 'Active', colour: 'success' },
    { key: '2', zh: '停用', en: 'Deactivated', colour: 'error' },
  ],
})
