import {
  defineResource,
  enabledField,
  f,
  allowPrivateNetworkField,
  nameField,
  remarkField,
  WEB_URL_FORMAT,
  IDENTIFIER_FORMAT,
} from '#kit/resource/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'

/** A shop's account for tags that are not reached through a gateway: an access point or a vendor's cloud. */
export const tagAccount = defineResource({
  name: 'tagAccount',
  path: '/api/shop/tagAccount',
  label: { zh: '价签接入', en: 'ESL connection' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'goods', path: '/goods/tagAccount', icon: 'key', sort: 64 },
  title: 'name',
  fields: {
    name: nameField({ required: true, width: 140 }),
    shopId: shopIdField({ required: true, form: 'add' }),
    brand: f.dict('tag_maker', {
      label: { zh: '接入方式', en: 'Connection type' },
      required: true,
      form: 'add',
      search: 'eq',
      width: 150,
    }),
    endpoint: f.text({
      label: { zh: '接口地址', en: 'Endpoint' },
      required: true,
      max: 255,
      ...WEB_URL_FORMAT,
      sample: 'https://tags.example.com/',
      width: 200,
    }),
    mayBeInside: allowPrivateNetworkField(),
    user: f.text({
      label: { zh: '用户名', en: 'User name' },
      max: 100,
      help: {
        zh: '云平台用户名；留空表示下面填的是 ApiKey。基站不需要',
        en: 'Cloud user name. Leave blank if the field below holds an API key. Not needed for access points.',
      },
    }),
    secretKey: f.password({
      label: { zh: '密码或 ApiKey', en: 'Password or ApiKey' },
      requiredWhen: { brand: { eq: 'cloudEsl' } },
      max: 255,
    }),
    storeNo: f.text({
      label: { zh: '云平台门店编号', en: 'Cloud store ID' },
      requiredWhen: { brand: { eq: 'cloudEsl' } },
      max: 64,
      ...IDENTIFIER_FORMAT,
      width: 120,
    }),
    font: f.text({
      label: { zh: '基站字体文件', en: 'Access point font file' },
      max: 100,
      pattern: '^[A-Za-z0-9_./-]+\\.ttf$',
      patternWords: {
        zh: '{label}应为 .ttf 文件的路径，如 fonts/tags.ttf',
        en: '{label} must be the path of a .ttf file, for example, fonts/tags.ttf',
      },
      sample: 'fonts/tags.ttf',
      help: {
        zh: '基站存储中的 TrueType 字体，须含中文；留空为 fonts/tags.ttf',
        en: 'A TrueType font with Chinese characters in the access point storage. Leave blank to use fonts/tags.ttf.',
      },
    }),
    // A cloud's token is valid for a day.
    accessToken: f.text({
      label: { zh: '令牌', en: 'Token' },
      max: 1000,
      form: 'hidden',
      secret: true,
      detail: false,
    }),
    state: f.dict('tag_account_state', {
      label: { zh: '状态', en: 'Status' },
      form: 'read',
      default: 'unknown',
      systemUpdated: true,
      search: 'eq',
      width: 110,
    }),
    stateMessage: f.text({
      label: { zh: '说明', en: 'Message' },
      max: 200,
      form: 'read',
      systemUpdated: true,
      width: 180,
    }),
    seenTime: f.datetime({
      label: { zh: '最近应答', en: 'Last response' },
      form: 'read',
      systemUpdated: true,
      width: 150,
    }),
    wellSince: f.datetime({
      label: { zh: '持续正常起', en: 'Connected since' },
      form: 'hidden',
      detail: false,
      systemUpdated: true,
    }),
    silences: f.number({
      label: { zh: '连续无应答', en: 'Consecutive timeouts' },
      form: 'hidden',
      detail: false,
      default: 0,
      systemUpdated: true,
    }),
    restUntil: f.datetime({
      label: { zh: '下次尝试', en: 'Next attempt' },
      form: 'hidden',
      detail: false,
      systemUpdated: true,
    }),
    enabled: enabledField(),
    remark: remarkField(),
  },
  list: {
    columns: ['name', 'shopId', 'brand', 'state', 'enabled', 'endpoint', 'seenTime', 'stateMessage'],
    time: false,
  },
  unique: [['name']],
  buttons: { import: false },
})
