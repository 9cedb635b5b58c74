import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  no_file: { zh: '请选择要上传的文件', en: 'Choose a file to upload' },
  upload_day_person: {
    zh: '您今天上传的文件已达 {max} MB，{time} 起可以继续上传',
    en: 'You have uploaded {max} MB today; more can be uploaded from {time} on',
    status: 429,
  },
  upload_day_tenant: {
    zh: '今天上传的文件合计已达 {max} MB，{time} 起可以继续上传',
    en: 'Together {max} MB were uploaded today; more can be uploaded from {time} on',
    status: 429,
  },
  file_named: {
    zh: '文件仍被数据引用，不能删除',
    en: 'The file is still in use and cannot be removed',
    status: 409,
  },
  store_unreachable: {
    zh: '对象存储 {name} 无法访问，请检查资源地址',
    en: 'The object store {name} cannot be reached, check its endpoint',
  },
  store_refused: {
    zh: '对象存储 {name} 拒绝了访问，请检查密钥和空间名: {code}',
    en: 'The object store {name} refused, check its keys and bucket: {code}',
  },
  store_in_use: {
    zh: '对象存储 {name} 中仍有文件，不能删除',
    en: 'The object store {name} still holds files and cannot be removed',
  },
  endpoint_private: { zh: '{label}不能指向内部网络地址', en: '{label} may not point into the internal network' },
  endpoint_without_secret: {
    zh: '接口地址改变后，请重新输入{label}',
    en: 'At another endpoint, type the {label} again',
  },
  address_inside: { zh: '不能下载内部网络地址', en: 'Addresses of the internal network are not fetched' },
  address_unreachable: {
    zh: '该地址无法访问，或没有及时应答',
    en: 'The address cannot be reached, or did not answer in time',
  },
  address_answered: { zh: '该地址没有给出文件（{status}）', en: 'The address gives no file ({status})' },
  address_leads_on: { zh: '该地址多次跳转，无法下载', en: 'The address leads on and on and gives no file' },
  address_too_big: { zh: '文件过大，不能超过 {max} MB', en: 'The file is too large, at most {max} MB' },
  ticket_spent: {
    zh: '下载链接已失效，请重新下载',
    en: 'This download link is no longer valid, download again',
    status: 404,
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
