import { defineDict } from '#kit/resource/index.ts'

export const ossCategoryDictionary = defineDict({
  code: 'oss',
  label: { zh: '对象存储类型', en: 'Storage type' },
  entries: [
    { key: '1', zh: 'minio', en: 'MinIO' },
    { key: '2', zh: '七牛云', en: 'Qiniu Cloud' },
    { key: '3', zh: '阿里云', en: 'Alibaba Cloud' },
    { key: '4', zh: '腾讯云', en: 'Tencent Cloud' },
  ],
})
