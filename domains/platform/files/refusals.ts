import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  no_file: { zh: '请选择要上传的文件', en: 'Select a file to upload' },
  upload_day_person: {
    zh: '您今天上传的文件已达 {max} MB，{time} 起可以继续上传',
    en: 'You have uploaded {max} MB today. You can upload more from {time}.',
    status: 429,
  },
  upload_day_tenant: {
    zh: '今天上传的文件合计已达 {max} MB，{time} 起可以继续上传',
    en: '{max} MB were uploaded today in total. Uploads resume at {time}.',
    status: 429,
  },
  file_named: {
    zh: '文件仍被数据引用，不能删除',
    en: 'The file is still in use and cannot be deleted',
    status: 409,
  },
  store_unreachable: {
    zh: '对象存储 {name} 无法访问，请检查资源地址',
    en: 'Storage provider {name} cannot be reached. Check its endpoint.',
  },
  store_refused: {
    zh: '对象存储 {name} 拒绝了访问，请检查密钥和空间名: {code}',
    en: 'Storage provider {name} denied access. Check its keys and bucket: {code}',
  },
  store_in_use: {
    zh: '对象存储 {name} 中仍有文件，不能删除',
    en: 'Storage provider {name} still contains files and cannot be deleted',
  },
  endpoint_private: { zh: '{label}不能指向内部网络地址', en: '{label} cannot point to a private network address' },
  endpoint_without_secret: {
    zh: '接口地址改变后，请重新输入{label}',
    en: 'Enter the {label} again after changing the endpoint',
  },
  address_inside: { zh: '不能下载内部网络地址', en: 'Private network addresses cannot be downloaded' },
  address_unreachable: {
    zh: '这个地址无法访问，或没有及时响应',
    en: 'The address cannot be reached or did not respond in time',
  },
  address_answered: { zh: '这个地址没有给出文件（{status}）', en: 'The address returned no file ({status})' },
  address_leads_on: {
    zh: '这个地址多次跳转，无法下载',
    en: 'The address redirects too often. The file was not downloaded.',
  },
  address_too_big: { zh: '文件过大，不能超过 {max} MB', en: 'The file is larger than {max} MB' },
  ticket_spent: {
    zh: '下载链接已失效，请重新下载',
    en: 'The download link has expired. Download again.',
    status: 404,
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
