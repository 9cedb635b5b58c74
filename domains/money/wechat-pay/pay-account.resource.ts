import {
  defineResource,
  enabledField,
  f,
  allowPrivateNetworkField,
  nameField,
  remarkField,
  SERVER_URL_FORMAT,
} from '#kit/resource/index.ts'

const service = { zh: '服务商', en: 'Service provider' }
const keys = { zh: '密钥', en: 'Keys' }
const place = { zh: '地址', en: 'Addresses' }

/** A tenant's service-provider account at WeChat Pay, used for all payments and refunds. */
export const payAccount = defineResource({
  name: 'payAccount',
  path: '/api/pay/payAccount',
  label: { zh: '微信支付账号', en: 'WeChat Pay account' },
  tenancy: 'tenant',
  menu: { under: 'resource', path: '/resource/payAccount', icon: 'wallet', sort: 7 },
  title: 'name',
  fields: {
    name: nameField({ required: true, width: 150 }),
    spMchid: f.text({
      label: { zh: '服务商商户号', en: 'Service provider merchant ID' },
      required: true,
      max: 32,
      search: 'eq',
      group: service,
      pattern: '^\\d{6,32}$',
      patternWords: { zh: '商户号是 6 到 32 位数字', en: 'A merchant ID has 6 to 32 digits' },
      sample: '1900000001',
      width: 130,
    }),
    spAppid: f.text({
      label: { zh: '服务商 AppID', en: 'Service provider AppID' },
      required: true,
      max: 32,
      group: service,
      pattern: '^wx[0-9A-Za-z]{6,30}$',
      patternWords: { zh: 'AppID 以 wx 开头', en: 'An AppID starts with wx' },
      sample: 'wx8888888888888888',
      width: 180,
    }),
    serialNo: f.text({
      label: { zh: '商户证书序列号', en: 'Merchant certificate serial no.' },
      required: true,
      max: 64,
      group: keys,
      pattern: '^[0-9A-Fa-f]{8,64}$',
      patternWords: { zh: '证书序列号是十六进制', en: 'A certificate serial number is hexadecimal' },
      sample: '5157F09EFDC096DE15EBE81A47057A7232F1B8E1',
    }),
    secretKey: f.password({
      label: { zh: '商户私钥 (PEM)', en: 'Merchant private key (PEM)' },
      required: true,
      max: 8000,
      group: keys,
      help: { zh: '保存后不再显示', en: 'Not shown again after saving' },
    }),
    apiv3Key: f.password({
      label: { zh: 'APIv3 密钥', en: 'APIv3 key' },
      required: true,
      min: 8,
      max: 255,
      group: keys,
      help: { zh: '正好 32 个字符，保存后不再显示', en: 'Exactly 32 characters. Not shown again after saving.' },
    }),
    publicKeyNo: f.text({
      label: { zh: '微信支付公钥编号', en: 'WeChat Pay public key ID' },
      max: 64,
      group: keys,
      pattern: '^PUB_KEY_ID_[0-9A-Za-z]{4,50}$',
      patternWords: { zh: '公钥编号以 PUB_KEY_ID_ 开头', en: 'A public key ID starts with PUB_KEY_ID_' },
      sample: 'PUB_KEY_ID_0100000001',
      help: {
        zh: '留空则使用平台证书，自动下载',
        en: 'Leave blank to use platform certificates, downloaded automatically',
      },
    }),
    publicKeyPem: f.longText({
      label: { zh: '微信支付公钥 (PEM)', en: 'WeChat Pay public key (PEM)' },
      max: 2000,
      group: keys,
    }),
    endpoint: f.text({
      label: { zh: '接口地址', en: 'Endpoint' },
      max: 255,
      group: place,
      ...SERVER_URL_FORMAT,
      sample: 'https://api.mch.weixin.qq.com',
      help: { zh: '留空使用微信支付地址', en: 'Leave blank to use the WeChat Pay address' },
    }),
    mayBeInside: allowPrivateNetworkField(),
    notifyBase: f.text({
      label: { zh: '回调域名', en: 'Callback domain' },
      max: 255,
      group: place,
      ...SERVER_URL_FORMAT,
      sample: 'https://store.example.com',
      help: {
        zh: '公网可以访问的地址，留空使用系统地址',
        en: 'An address reachable from the internet. Leave blank to use the system address.',
      },
    }),
    notifyUrl: f.text({
      label: { zh: '回调地址', en: 'Callback URL' },
      computed: true,
      form: 'hidden',
      group: place,
    }),
    enabled: enabledField(),
    remark: remarkField(),
  },
  list: { columns: ['name', 'spMchid', 'spAppid', 'enabled', 'publicKeyNo', 'endpoint', 'createTime'], time: false },
  unique: [['name']],
  buttons: { import: false },
})
