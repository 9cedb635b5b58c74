import {
  defineDict,
  defineResource,
  enabledField,
  f,
  allowPrivateNetworkField,
  nameField,
  remarkField,
  SERVER_URL_FORMAT,
} from '#kit/resource/index.ts'

export const WECHAT_APP_KIND = { mini: 'mini', official: 'official' } as const

export const wechatAppDictionaries = [
  defineDict({
    code: 'wechat_app_kind',
    label: { zh: '微信应用类型', en: 'WeChat app type' },
    entries: [
      { key: WECHAT_APP_KIND.mini, zh: '小程序', en: 'Mini program', colour: 'success' },
      { key: WECHAT_APP_KIND.official, zh: '公众号', en: 'Official account', colour: 'processing' },
    ],
  }),
  defineDict({
    code: 'wechat_program_state',
    label: { zh: '小程序版本', en: 'Mini program version' },
    entries: [
      { key: 'formal', zh: '正式版', en: 'Released' },
      { key: 'trial', zh: '体验版', en: 'Trial' },
      { key: 'developer', zh: '开发版', en: 'Development' },
    ],
  }),
]

const place = { zh: '地址', en: 'Address' }

/** A mini program or official account of a tenant, through which messages are sent. */
export const wechatApp = defineResource({
  name: 'wechatApp',
  path: '/api/wechat/wechatApp',
  label: { zh: '微信应用', en: 'WeChat app' },
  tenancy: 'tenant',
  menu: { under: 'resource', path: '/resource/wechatApp', icon: 'wechat', sort: 8 },
  title: 'name',
  fields: {
    name: nameField({ required: true, width: 150 }),
    kind: f.dict('wechat_app_kind', {
      label: { zh: '类型', en: 'Type' },
      required: true,
      default: WECHAT_APP_KIND.mini,
      form: 'add',
      search: 'eq',
      width: 110,
    }),
    appid: f.text({
      label: { zh: 'AppID', en: 'AppID' },
      required: true,
      max: 32,
      search: 'eq',
      pattern: '^wx[0-9A-Za-z]{6,30}$',
      patternWords: { zh: 'AppID 以 wx 开头', en: 'An AppID starts with wx' },
      sample: 'wx7777777777777777',
      width: 180,
    }),
    secretKey: f.password({
      label: { zh: 'AppSecret', en: 'AppSecret' },
      required: true,
      max: 255,
      help: {
        zh: '在微信公众平台取得，保存后不再显示',
        en: 'Obtained from the WeChat platform. Not shown again after saving.',
      },
    }),
    programState: f.dict('wechat_program_state', {
      label: { zh: '打开的版本', en: 'Version to open' },
      default: 'formal',
      help: { zh: '点开消息进入小程序的哪个版本', en: 'Which mini program version opens from a message' },
    }),
    endpoint: f.text({
      label: { zh: '接口地址', en: 'Endpoint' },
      max: 255,
      group: place,
      ...SERVER_URL_FORMAT,
      sample: 'https://api.weixin.qq.com',
      help: { zh: '留空使用微信地址', en: 'Leave blank to use the WeChat address' },
    }),
    mayBeInside: allowPrivateNetworkField(),
    enabled: enabledField(),
    remark: remarkField(),
  },
  list: { columns: ['name', 'kind', 'appid', 'enabled', 'endpoint', 'createTime'], time: false },
  unique: [['appid']],
  buttons: { import: false },
})
