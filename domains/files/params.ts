import { defineParam } from '#kit/resource/index.ts'

export const PERSON_MB = defineParam({
  key: 'file.personMbPerDay',
  value: '2000',
  number: { min: 1, max: 10_000_000 },
  label: { zh: '每人每天可上传（MB）', en: 'Uploads of one person a day (MB)' },
  help: {
    zh: '达到后次日零点起可继续上传；设备上传不受限制',
    en: 'When it is reached, more can be uploaded from midnight on; devices are not limited',
  },
})

export const TENANT_MB = defineParam({
  key: 'file.tenantMbPerDay',
  value: '10000',
  number: { min: 1, max: 10_000_000 },
  label: { zh: '每个租户每天可上传（MB）', en: 'Uploads of one tenant a day (MB)' },
  help: {
    zh: '所有租户共用磁盘；达到后次日零点起可继续上传，设备上传不受限制',
    en: 'All tenants share a disk; from midnight on more can be uploaded, and devices are not limited',
  },
})
