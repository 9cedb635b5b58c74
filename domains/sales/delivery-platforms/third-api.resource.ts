import { defineResource, f, allowPrivateNetworkField, remarkField, nameField } from '#kit/resource/index.ts'

/** A tenant's credentials at an external platform. Secrets are stored encrypted and never returned. */
export const thirdApi = defineResource({
  name: 'thirdApi',
  path: '/api/thirdparty/thirdApi',
  label: { zh: '平台凭证', en: 'Platform credentials' },
  tenancy: 'tenant',
  menu: { under: 'base', path: '/base/thirdApi', icon: 'api', sort: 60 },
  title: 'name',
  fields: {
    name: nameField({ required: true }),
    platform: f.dict('third_platform', {
      label: { zh: '平台', en: 'Platform' },
      required: true,
      form: 'add',
      search: 'eq',
      width: 110,
    }),
    appKey: f.text({
      label: { zh: '应用编号', en: 'Application ID' },
      required: true,
      max: 128,
      search: 'eq',
      width: 160,
    }),
    appSecret: f.text({
      label: { zh: '应用密钥', en: 'Application secret' },
      max: 500,
      secret: true,
      help: {
        zh: '保存后不再显示；不填表示不改',
        en: 'Not shown again after saving. Leave blank to keep the current one.',
      },
    }),
    hasSecret: f.boolean({ label: { zh: '已填密钥', en: 'Secret set' }, form: 'hidden', default: false, width: 90 }),
    baseUrl: f.url({
      label: { zh: '接口地址', en: 'API address' },
      width: 220,
      help: { zh: '不填用平台的正式地址', en: 'Leave blank to use the production address of the platform' },
    }),
    mayBeInside: allowPrivateNetworkField(),
    callbackUrl: f.url({
      label: { zh: '回调地址', en: 'Callback URL' },
      help: {
        zh: '与平台后台登记的完全一致，签名以它计算',
        en: 'Must match the URL registered at the platform exactly. Signatures are calculated from it.',
      },
    }),
    perSecond: f.number({
      label: { zh: '每秒调用上限', en: 'Calls per second' },
      min: 1,
      max: 1_000,
      default: 18,
      help: {
        zh: '平台给这个应用的上限，所有服务器合计',
        en: 'Limit of the platform for this application, all servers combined',
      },
    }),
    status: f.dict('third_status', {
      label: { zh: '状态', en: 'Status' },
      numeric: true,
      default: 1,
      required: true,
      search: 'eq',
      width: 80,
    }),
    remark: remarkField({ max: 500 }),
  },
  list: {
    columns: ['name', 'platform', 'appKey', 'status', 'hasSecret', 'baseUrl', 'updateTime'],
    time: false,
    sort: '-createTime',
  },
  unique: [['platform', 'appKey']],
})
