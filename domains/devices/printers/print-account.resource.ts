import {
  defineResource,
  enabledField,
  f,
  allowPrivateNetworkField,
  nameField,
  remarkField,
  WEB_URL_FORMAT,
} from '#kit/resource/index.ts'

/** A tenant's account at a printer vendor. */
export const printAccount = defineResource({
  name: 'printAccount',
  path: '/api/shop/printAccount',
  label: { zh: '云打印账号', en: 'Cloud print account' },
  tenancy: 'tenant',
  menu: { under: 'device', path: '/device/printAccount', icon: 'key', sort: 42 },
  title: 'name',
  fields: {
    name: nameField({ required: true, width: 140 }),
    brand: f.dict('print_maker', {
      label: { zh: '平台', en: 'Platform' },
      required: true,
      form: 'add',
      search: 'eq',
      width: 110,
    }),
    user: f.text({
      label: { zh: '账号', en: 'Account' },
      required: true,
      max: 100,
      help: {
        zh: '飞鹅、芯烨云填 USER，易联云填应用编号',
        en: 'USER for Feie and Xpyun, application ID for Yilianyun',
      },
      width: 180,
    }),
    secretKey: f.password({
      label: { zh: '密钥', en: 'Key' },
      required: true,
      max: 255,
      help: { zh: 'UKEY、UserKEY 或应用密钥', en: 'UKEY, UserKEY or application secret' },
    }),
    endpoint: f.text({
      label: { zh: '接口地址', en: 'Endpoint' },
      max: 255,
      ...WEB_URL_FORMAT,
      sample: 'https://print.example.com/',
      help: { zh: '留空使用平台地址', en: 'Leave blank to use the platform address' },
    }),
    mayBeInside: allowPrivateNetworkField(),
    callbackOn: f.boolean({
      label: { zh: '已登记回调', en: 'Callback registered' },
      default: false,
      help: {
        zh: '在平台后台登记下面的回调地址后打开，打印结果更快知道',
        en: 'Turn on after registering the callback URL below with the vendor. Print results arrive sooner.',
      },
      width: 110,
    }),
    callbackFlag: f.number({
      label: { zh: '芯烨云回调序号', en: 'Xpyun callback no.' },
      min: 1,
      max: 5,
      default: 1,
    }),
    callbackKey: f.longText({
      label: { zh: '飞鹅公钥', en: 'Feie public key' },
      max: 2000,
      help: { zh: '飞鹅回调的验签公钥 (PEM)', en: 'Public key that verifies Feie callbacks (PEM)' },
    }),
    callbackUrl: f.text({ label: { zh: '回调地址', en: 'Callback URL' }, computed: true, form: 'hidden' }),
    // Yilianyun issues only twenty tokens a day, so a token is kept until it expires.
    accessToken: f.text({
      label: { zh: '令牌', en: 'Token' },
      max: 1000,
      form: 'hidden',
      secret: true,
      detail: false,
    }),
    enabled: enabledField(),
    remark: remarkField(),
  },
  list: { columns: ['name', 'brand', 'enabled', 'user', 'endpoint', 'callbackOn', 'createTime'], time: false },
  unique: [['brand', 'name']],
  buttons: { import: false },
})
