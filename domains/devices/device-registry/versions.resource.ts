import { defineResource, defineStates, f } from '#kit/resource/index.ts'

const version = {
  versionName: f.text({
    label: { zh: '版本名', en: 'Version name' },
    required: true,
    max: 40,
    search: 'like',
    width: 110,
  }),
  versionCode: f.number({
    label: { zh: '版本号', en: 'Version number' },
    required: true,
    min: 1,
    max: 2_000_000_000,
    form: 'add',
    width: 90,
    help: { zh: '越大越新', en: 'Higher is newer' },
  }),
  url: f.file({
    label: { zh: '安装包', en: 'Package' },
    required: true,
    maxKb: 51_200,
    width: 220,
    help: {
      zh: '上传的安装包自动计算大小和校验值，可用于分批升级',
      en:
        'Size and checksum of an uploaded package are calculated automatically. Only uploaded packages ' +
        'can be rolled out.',
    },
  }),
  md5: f.text({
    label: { zh: 'MD5', en: 'MD5' },
    max: 32,
    pattern: '^[0-9a-fA-F]{32}$',
    patternWords: { zh: 'MD5 是 32 位十六进制', en: 'An MD5 must have 32 hexadecimal digits' },
    sample: 'd41d8cd98f00b204e9800998ecf8427e',
  }),
  size: f.number({
    label: { zh: '大小', en: 'Size' },
    min: 1,
    max: 2_000_000_000,
    unit: { zh: '字节', en: 'byte|bytes' },
    width: 110,
  }),
  sha256: f.text({ label: { zh: 'SHA-256', en: 'SHA-256' }, max: 64, form: 'hidden' }),
  rollout: f.percent({
    label: { zh: '灰度比例', en: 'Rollout %' },
    min: 0,
    max: 100,
    default: '100.00',
    required: true,
    width: 90,
    help: {
      zh: '先给一部分设备；同一台设备总是同样的结果',
      en: 'Released to a share of the devices first. A device always gets the same result.',
    },
  }),
  status: f.dict('version_status', {
    label: { zh: '状态', en: 'Status' },
    numeric: true,
    default: 0,
    form: 'hidden',
    search: 'eq',
    width: 115,
  }),
  notes: f.longText({ label: { zh: '更新说明', en: 'Release notes' }, max: 2000 }),
}

/** States of a version: 0 draft → 1 published ⇄ 2 withdrawn. */
export const VERSION_STATE = { draft: 0, published: 1, withdrawn: 2 } as const

const states = defineStates({
  field: 'status',
  values: VERSION_STATE,
  initial: ['draft'],
  moves: {
    publish: { from: ['draft', 'withdrawn'], to: 'published' },
    revoke: { from: ['published'], to: 'withdrawn' },
  },
})
const actions = {
  publish: {
    on: 'row',
    label: { zh: '发布', en: 'Publish' },
    icon: 'rocket',
    confirm: {
      zh: '发布版本 {versionName}，灰度 {rollout}？比例以外的设备继续用旧版本。',
      en: 'Publish version {versionName} to {rollout} of devices? The others keep their version.',
    },
  },
  revoke: {
    on: 'row',
    label: { zh: '撤回', en: 'Unpublish' },
    icon: 'rollback',
    danger: true,
    confirm: {
      zh: '撤回版本 {versionName}？已安装的设备不受影响。',
      en: 'Unpublish version {versionName}? Devices that installed it are not affected.',
    },
  },
} as const

/** A version of the program of registers. */
export const cashRegisterClientVersion = defineResource({
  name: 'cashRegisterClientVersion',
  path: '/api/shop/cashRegisterClientVersion',
  label: { zh: '收银机版本', en: 'Register release' },
  tenancy: 'tenant',
  menu: { under: 'device', path: '/device/cashRegisterClientVersion', icon: 'cloud-upload', sort: 50 },
  title: 'versionName',
  fields: {
    ...version,
    force: f.boolean({ label: { zh: '强制更新', en: 'Mandatory update' }, default: false, width: 120 }),
  },
  list: {
    columns: ['versionName', 'versionCode', 'status', 'rollout', 'force', 'size', 'notes', 'createTime'],
    sort: '-versionCode',
  },
  unique: [['versionCode']],
  states,
  actions,
})

/** A version of the gateway program, for some hardware models. */
export const clientVersion = defineResource({
  name: 'clientVersion',
  path: '/api/shop/clientVersion',
  label: { zh: '网关版本', en: 'Gateway release' },
  tenancy: 'tenant',
  menu: { under: 'device', path: '/device/clientVersion', icon: 'cloud-server', sort: 51 },
  title: 'versionName',
  fields: {
    ...version,
    model: f.text({
      label: { zh: '适用型号', en: 'Models' },
      required: true,
      max: 50,
      form: 'add',
      search: 'eq',
      width: 110,
    }),
  },
  list: {
    columns: ['versionName', 'versionCode', 'model', 'status', 'rollout', 'size', 'notes', 'createTime'],
    sort: '-versionCode',
  },
  unique: [['model', 'versionCode']],
  states,
  actions,
})
