import { defineResource, f, REMARK_LABEL } from '#kit/resource/index.ts'

/** A tenant. Its row belongs to that tenant, so that row-level security shows each tenant only its own. */
export const tenant = defineResource({
  name: 'tenant',
  path: '/api/blade-system/tenant',
  tenancy: 'tenant',
  ownFields: false,
  label: { zh: '租户', en: 'Tenant' },
  menu: { under: 'system', path: '/system/tenant', icon: 'cluster', sort: 9 },
  fields: {
    tenantName: f.text({ label: { zh: '租户名称', en: 'Tenant name' }, required: true, max: 50, search: 'like' }),
    linkman: f.text({ label: { zh: '联系人', en: 'Contact' }, max: 20, search: 'like' }),
    contactNumber: f.phone({ label: { zh: '联系电话', en: 'Contact phone' }, landline: true, search: 'like' }),
    address: f.text({ label: { zh: '联系地址', en: 'Address' }, max: 255 }),
    domain: f.text({
      label: { zh: '绑定域名', en: 'Domain' },
      max: 255,
      pattern: '^https?:\\/\\/[^\\s\\/?#]+\\/?$',
      patternWords: {
        zh: '{label}应为网址的开头，如 https://shop.example.com',
        en: '{label} must be the start of a URL, for example, https://shop.example.com',
      },
      sample: 'https://shop.example.com',
      wireAlias: 'domainUrl',
    }),
    backgroundUrl: f.picture({ label: { zh: '登录背景', en: 'Sign-in background' }, maxKb: 2048 }),
    accountNumber: f.number({ label: { zh: '账号额度', en: 'Account limit' }, min: -1, form: 'read', default: -1 }),
    expireTime: f.datetime({ label: { zh: '过期时间', en: 'Expires' }, form: 'read', search: 'range' }),
    packageId: f.ref('tenantPackage', { label: { zh: '产品包', en: 'Package' }, form: 'read' }),
    datasourceId: f.ref('datasource', { label: { zh: '数据源', en: 'Data source' }, form: 'read' }),
    isPractice: f.boolean({
      label: { zh: '练习租户', en: 'Practice tenant' },
      help: {
        zh: '全部是模拟的，不计入统计，可随时清除',
        en: 'All data is simulated and not included in statistics. It can be deleted at any time.',
      },
      form: 'hidden',
      default: false,
    }),
    licenseKey: f.text({ label: { zh: '授权码', en: 'License key' }, form: 'hidden', secret: true }),
  },
  title: 'tenantName',
  // Not restorable: its users are removed with it.
  restore: false,
  list: {
    columns: [
      'tenantId',
      'tenantName',
      'linkman',
      'contactNumber',
      'domain',
      'accountNumber',
      'expireTime',
      'packageId',
      'createTime',
    ],
    time: 'createTime',
  },
  indexes: [['domain']],
  actions: {
    setting: {
      on: 'bulk',
      label: { zh: '授权配置', en: 'License settings' },
      icon: 'setting',
      input: {
        accountNumber: f.number({
          label: { zh: '账号额度', en: 'Account limit' },
          min: -1,
          max: 1_000_000,
          help: { zh: '-1 为不限', en: '-1 means no limit' },
        }),
        expireTime: f.datetime({
          label: { zh: '过期时间', en: 'Expires' },
          isEnd: true,
          help: { zh: '留空为永久', en: 'Leave blank for no expiry' },
        }),
      },
    },
  },
  permissions: {
    archive: { zh: '导出全部数据', en: 'Export all data' },
    datasource: { zh: '数据源配置', en: 'Data source settings' },
    package: { zh: '产品包配置', en: 'Package settings' },
    devices: { zh: '远程操作租户的设备', en: 'Operate tenant devices remotely' },
  },
})

export const tenantPackage = defineResource({
  name: 'tenantPackage',
  path: '/api/blade-system/tenant-package',
  code: 'tenantpackage',
  table: 'tenant_package',
  tenancy: 'platform',
  label: { zh: '租户产品包', en: 'Tenant package' },
  menu: { under: 'system', path: '/system/tenantpackage', icon: 'appstore', sort: 11 },
  fields: {
    packageName: f.text({ label: { zh: '产品包名称', en: 'Package name' }, required: true, max: 50, search: 'like' }),
    menuId: f.refs('menu', { label: { zh: '菜单列表', en: 'Menus' }, required: true, labelKey: 'menuName' }),
    remark: f.text({ label: REMARK_LABEL }),
  },
  list: { columns: ['packageName', 'remark', 'createTime'], time: false },
  buttons: { view: false },
  unique: [['packageName']],
})
