import { shopId } from '#domains/shops/index.ts'
import { defineResource, f, longRemark, ownName } from '#kit/resource/index.ts'

/** A register in a shop. It signs in with credentials of its own, issued here and shown once. */
export const cashRegister = defineResource({
  name: 'cashRegister',
  path: '/api/shop/cashRegister',
  label: { zh: '收银机', en: 'Register' },
  tenancy: 'tenant',
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/cashRegister', icon: 'desktop', sort: 10 },
  title: 'name',
  titleCode: 'sn',
  fields: {
    name: ownName({ required: true, width: 150 }),
    sn: f.text({
      label: { zh: '序列号', en: 'Serial number' },
      required: true,
      max: 40,
      form: 'add',
      search: 'like',
      width: 150,
      sample: 'REG-1',
      pattern: '^[A-Za-z0-9-]{3,40}$',
      patternWords: {
        zh: '序列号只能含字母、数字、横线，至少3位',
        en: 'A serial number holds letters, digits and dashes, at least 3',
      },
    }),
    shopId: shopId({ required: true, form: 'add' }),
    status: f.dict('register_status', {
      label: { zh: '状态', en: 'State' },
      numeric: true,
      default: 1,
      search: 'eq',
      width: 90,
    }),
    online: f.boolean({ label: { zh: '在线', en: 'Online' }, computed: true, form: 'hidden', width: 80 }),
    appVersion: f.text({ moves: true, label: { zh: '程序版本', en: 'Version' }, max: 40, form: 'read', width: 100 }),
    lastHeartbeat: f.datetime({
      moves: true,
      label: { zh: '最近心跳', en: 'Last heartbeat' },
      form: 'read',
      width: 160,
    }),
    clockSkew: f.number({
      moves: true,
      label: { zh: '时钟偏差', en: 'Clock skew' },
      form: 'read',
      unit: { zh: '秒', en: 's' },
      width: 90,
    }),
    unsent: f.number({ moves: true, label: { zh: '待补传', en: 'Unsent sales' }, form: 'read', default: 0, width: 90 }),
    screenState: f.dict('register_screen', {
      moves: true,
      label: { zh: '屏幕', en: 'Screen' },
      form: 'read',
      width: 100,
    }),
    keyIssuedTime: f.datetime({ label: { zh: '密钥签发时间', en: 'Credentials issued' }, form: 'read', width: 160 }),
    remark: longRemark(),
  },
  list: {
    inline: ['name'],
    columns: [
      'name',
      'sn',
      'shopId',
      'status',
      'online',
      'screenState',
      'appVersion',
      'lastHeartbeat',
      'unsent',
      'clockSkew',
    ],
    sort: '-createTime',
  },
  uniqueEverywhere: [['sn']],
  indexes: [['status', 'lastHeartbeat']],
  actions: {
    issue: {
      on: 'row',
      label: { zh: '签发密钥', en: 'Issue credentials' },
      icon: 'key',
      confirm: {
        zh: '为“{name}”签发新密钥? 新密钥只显示一次，旧密钥24小时后失效。',
        en: 'Issue new credentials to "{name}"? They are shown once; the old ones end in 24 hours.',
      },
      enabled: { status: { eq: 1 } },
    },
    revoke: {
      on: 'row',
      label: { zh: '吊销密钥', en: 'Revoke credentials' },
      icon: 'stop',
      danger: true,
      confirm: {
        zh: '吊销“{name}”的全部密钥? 收银机将立即无法连接。',
        en: 'Revoke all credentials of "{name}"? It cannot connect any more.',
      },
    },
  },
  permissions: { screenshot: { zh: '截屏', en: 'Take pictures of the screen' } },
})
