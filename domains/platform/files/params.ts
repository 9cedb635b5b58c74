import { defineSystemParam } from '#kit/resource/index.ts'

export const PERSON_DAILY_UPLOAD_MB_PARAM = defineSystemParam({
  key: 'file.personMbPerDay',
  value: '2000',
  number: { min: 1, max: 10_000_000 },
  label: { zh: '每人每天可上传（MB）', en: 'Daily upload limit per person (MB)' },
  help: {
    zh: '达到后次日零点起可继续上传；设备上传不受限制',
    en: 'When reached, uploads resume at midnight. Device uploads are not limited.',
  },
})

export const TENANT_DAILY_UPLOAD_MB_PARAM = defineSystemParam({
  key: 'file.tenantMbPerDay',
  value: '10000',
  number: { min: 1, max: 10_000_000 },
  label: { zh: '每个租户每天可上传（MB）', en: 'Daily upload limit per tenant (MB)' },
  help: {
    zh: '所有租户共用磁盘；达到后次日零点起可继续上传，设备上传不受限制',
    en: 'All tenants share the disk. When reached, uploads resume at midnight. Device uploads are not limited.',
  },
})
