import { defineResource, enabled, f, mayBeInside, ownName, remark, WEB_ADDRESS } from '#kit/resource/index.ts'

/** The tenant's account at a maker of printers. */
export const printAccount = defineResource({
  name: 'printAccount',
  path: '/api/shop/printAccount',
  label: { zh: '打印平台账号', en: 'Printing account' },
  tenancy: 'tenant',
  menu: { under: 'device', path: '/device/printAccount', icon: 'key', sort: 42 },
  title: 'name',
  fields: {
    name: ownName({ required: true, width: 140 }),
    brand: f.dict('print_maker', {
      label: { zh: '平台', en: 'Maker' },
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
        en: 'USER at Feie and Xpyun, the number of the application at Yilianyun',
      },
      width: 180,
    }),
    secretKey: f.password({
      label: { zh: '密钥', en: 'Key' },
      required: true,
      max: 255,
      help: { zh: 'UKEY、UserKEY 或应用密钥', en: 'UKEY, UserKEY or the secret of the application' },
    }),
    endpoint: f.text({
      label: { zh: '接口地址', en: 'Endpoint' },
      max: 255,
      ...WEB_ADDRESS,
      sample: 'https://print.example.com/',
      help: { zh: '留空使用平台地址', en: "Empty: the maker's own" },
    }),
    mayBeInside: mayBeInside(),
    callbackOn: f.boolean({
      label: { zh: '已登记回调', en: 'Reports by itself' },
      default: false,
      help: {
        zh: '在平台后台登记下面的回调地址后打开，打印结果更快知道',
        en: 'Once the address below is registered at the maker: results are known sooner',
      },
      width: 110,
    }),
    callbackFlag: f.number({
      label: { zh: '芯烨云回调序号', en: 'Number of the address at Xpyun' },
      min: 1,
      max: 5,
      default: 1,
    }),
    callbackKey: f.longText({
      label: { zh: '飞鹅公钥', en: 'Public key of Feie' },
      max: 2000,
      help: { zh: '飞鹅回调的验签公钥 (PEM)', en: 'What Feie signs its reports with (PEM)' },
    }),
    callbackUrl: f.text({ label: { zh: '回调地址', en: 'Address for reports' }, computed: true, form: 'hidden' }),
    // Yilianyun gives one twenty times a day: kept as long as it is good for.
    accessToken: f.text({
      label: { zh: '令牌', en: 'Token' },
      max: 1000,
      form: 'hidden',
      secret: true,
      detail: false,
    }),
    enabled: enabled(),
    remark: remark(),
  },
  list: { columns: ['name', 'brand', 'enabled', 'user', 'endpoint', 'callbackOn', 'createTime'], time: false },
  unique: [['brand', 'name']],
  buttons: { import: false },
})
