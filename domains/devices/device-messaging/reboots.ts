/** What can be restarted (docs/gateways.md, `gw.reboot`), and on which kinds of devices. */
export const REBOOT_TARGETS = [
  { key: '1', zh: '设备程序', en: 'Device app', kinds: ['gateway', 'register'] },
  { key: '2', zh: '设备系统', en: 'Device system', kinds: ['gateway', 'register'] },
  { key: '3', zh: '路由器', en: 'Router', kinds: ['gateway'] },
  { key: '4', zh: '收银机', en: 'Register', kinds: ['gateway'] },
  { key: '5', zh: '全部设备', en: 'All devices', kinds: ['gateway'] },
]

export const rebootTargetsOfKind = (kind: string | null | undefined) =>
  REBOOT_TARGETS.filter(({ kinds }) => kinds.includes(kind ?? ''))
