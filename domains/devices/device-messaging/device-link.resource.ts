import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, objectSchema, rowIdSchema, nullableSchema, textSchema } from '#kit/resource/index.ts'

/**
 * The connection of a device that signs in at the broker: a shop's gateway, a power gateway or a register. A database
 * trigger keeps one for each with a number, under the same id (device-key.ts). The device's details are as it last
 * reported them, at `lastSeenTime`.
 */
export const deviceLink = defineResource({
  name: 'deviceLink',
  path: '/api/shop/deviceLink',
  label: { zh: '设备连接', en: 'Device connection' },
  tenancy: 'tenant',
  writer: 'device',
  history: false,
  scope: { shop: 'shopId' },
  menu: { under: 'device', path: '/device/deviceLink', icon: 'link', sort: 6 },
  title: 'name',
  titleCode: 'clientId',
  fields: {
    name: f.text({ label: { zh: '名称', en: 'Name' }, max: 200, search: 'like', width: 160 }),
    kind: f.dict('device_kind', { label: { zh: '类型', en: 'Type' }, search: 'eq', width: 110 }),
    clientId: f.text({ label: { zh: '设备编号', en: 'Device ID' }, max: 64, search: 'eq', width: 160 }),
    shopId: shopIdField(),
    state: f.dict('link_state', { label: { zh: '状态', en: 'Status' }, search: 'eq', width: 200, systemUpdated: true }),
    stateTime: f.datetime({ label: { zh: '状态变化', en: 'Status since' }, systemUpdated: true, width: 160 }),
    endReason: f.dict('link_end', {
      label: { zh: '离线原因', en: 'Offline reason' },
      detail: false,
      systemUpdated: true,
      width: 120,
    }),
    refusedTime: f.datetime({ label: { zh: '登录被拒', en: 'Sign-in rejected' }, systemUpdated: true, width: 160 }),
    refusedReason: f.dict('link_refusal', {
      label: { zh: '被拒原因', en: 'Rejection reason' },
      systemUpdated: true,
      width: 120,
    }),
    lastSeenTime: f.datetime({ label: { zh: '最近上报', en: 'Last report' }, systemUpdated: true, width: 160 }),
    firmware: f.text({
      label: { zh: '程序版本', en: 'Version' },
      max: 50,
      search: 'eq',
      systemUpdated: true,
      width: 110,
    }),
    hardware: f.text({ label: { zh: '硬件', en: 'Hardware' }, max: 50, systemUpdated: true, width: 110 }),
    ip: f.text({ label: { zh: 'IP 地址', en: 'IP address' }, max: 45, systemUpdated: true, width: 120 }),
    clockOffset: f.number({
      label: { zh: '时钟偏差', en: 'Clock drift' },
      help: { zh: '正数表示设备的钟快', en: 'Positive means the device clock is fast' },
      unit: { zh: '毫秒', en: 'ms' },
      big: true,
      systemUpdated: true,
      width: 100,
    }),
    health: f.json({ label: { zh: '运行状况', en: 'Health' }, systemUpdated: true }),
    reported: f.json({ label: { zh: '上报状态', en: 'Reported status' }, systemUpdated: true }),
    conn: f.text({ label: { zh: '会话', en: 'Session' }, max: 64, form: 'hidden', systemUpdated: true }),
    boot: f.text({ label: { zh: '启动编号', en: 'Boot ID' }, max: 64, form: 'hidden', systemUpdated: true }),
    keyIssuedTime: f.datetime({ label: { zh: '密钥签发时间', en: 'Credentials issued' }, width: 160 }),
  },
  list: {
    columns: ['name', 'kind', 'shopId', 'state', 'stateTime', 'firmware', 'clockOffset', 'clientId', 'keyIssuedTime'],
    time: false,
    sort: '-createTime',
  },
  buttons: { import: false },
  unique: [['clientId']],
  foundEverywhere: ['clientId'],
  indexes: [['state', 'lastSeenTime'], ['firmware']],
  actions: {
    issue: {
      on: 'row',
      label: { zh: '签发密钥', en: 'Issue credentials' },
      answer: objectSchema({
        id: rowIdSchema,
        clientId: nullableSchema(textSchema),
        tenantId: textSchema,
        topic: textSchema,
        secret: textSchema,
      }),
      icon: 'key',
      // A register has one secret for the broker and its API calls, which is issued with the register.
      enabled: { kind: { ne: 'register' } },
      confirm: {
        zh: '为“{name}”签发新密钥？新密钥只显示一次，旧密钥24小时后失效。',
        en: 'Issue new credentials for “{name}”? They are shown only once. The old ones expire in 24 hours.',
      },
    },
    revoke: {
      on: 'row',
      label: { zh: '吊销密钥', en: 'Revoke credentials' },
      icon: 'stop',
      danger: true,
      confirm: {
        zh: '吊销“{name}”的全部密钥？设备会立即断开。',
        en: 'Revoke all credentials of “{name}”? The device is disconnected immediately.',
      },
    },
  },
  permissions: {
    reboot: { zh: '重启设备', en: 'Restart device' },
    time: { zh: '校时', en: 'Sync clock' },
    upgrade: { zh: '升级设备', en: 'Upgrade device' },
    session: { zh: '远程会话', en: 'Remote session' },
    takeover: { zh: '接管远程会话', en: 'Take over' },
    shell: { zh: '远程会话不限命令', en: 'Unrestricted commands' },
  },
})
