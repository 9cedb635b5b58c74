import { defineResource, f } from '#kit/resource/index.ts'

export const attach = defineResource({
  name: 'attach',
  path: '/api/blade-resource/attach',
  tenancy: 'tenant',
  label: { zh: '附件', en: 'Attachment' },
  menu: { under: 'resource', path: '/resource/attach', icon: 'paper-clip', sort: 3 },
  fields: {
    originalName: f.text({ label: { zh: '附件原名', en: 'Original name' }, required: true, search: 'like' }),
    name: f.text({ label: { zh: '附件名称', en: 'Stored name' }, max: 400, search: 'like' }),
    link: f.file({ label: { zh: '附件地址', en: 'URL' }, required: true }),
    domain: f.text({ label: { zh: '附件域名', en: 'Domain' }, search: 'like', wireAlias: 'domainUrl' }),
    extension: f.text({ label: { zh: '附件拓展名', en: 'Extension' }, max: 12, search: 'eq' }),
    attachSize: f.number({
      label: { zh: '附件大小', en: 'Size' },
      min: 0,
      big: true,
      unit: { zh: '字节', en: 'byte|bytes' },
    }),
  },
  title: 'originalName',
  // Not restorable: the file is deleted with its last attachment.
  restore: false,
  list: {
    columns: ['originalName', 'link', 'extension', 'attachSize', 'createUser', 'createTime'],
    time: 'createTime',
  },
  buttons: { add: false, edit: false, view: false },
  permissions: { upload: { zh: '上传', en: 'Upload' }, download: { zh: '下载', en: 'Download' } },
})
