/** Texts of the page for practice tenants and simulated faults. */
export const words = {
  title: { zh: '练习与故障', en: 'Training and faults' },
  intro: {
    zh: '建一个练习租户，播放一天，弄坏设备或平台，看后台如何反应。模拟的设备和平台讲真实的协议，故障只影响它们。',
    en:
      'Create a practice tenant, play a day, break devices or platforms and see how the back office ' +
      'reacts. Simulated devices and platforms speak the real protocols, and faults affect only them.',
  },
  practice: { zh: '练习租户', en: 'Practice tenants' },
  none: { zh: '还没有练习租户', en: 'No practice tenants yet' },
  make: { zh: '建立练习租户', en: 'Create practice tenant' },
  made: { zh: '练习租户已建立', en: 'Practice tenant created' },
  once: {
    zh: '密码只显示这一次。用它登录，租户里的一切都是模拟的。',
    en: 'The password is shown only once. Everything in this tenant is simulated.',
  },
  tenantId: { zh: '租户编号', en: 'Tenant' },
  account: { zh: '账号', en: 'Account' },
  password: { zh: '密码', en: 'Password' },
  play: { zh: '播放一天', en: 'Play a day' },
  playing: { zh: '正在播放', en: 'Playing…' },
  over: { zh: '一天已过完', en: 'The day is over' },
  minutes: { zh: '{n} 分钟一天', en: 'One day in {n} min' },
  length: { zh: '一天多长', en: 'Length of a day' },
  remove: { zh: '清除', en: 'Delete' },
  removeTitle: { zh: '清除练习租户', en: 'Delete practice tenant' },
  removeText: {
    zh: '“{name}”的门店、商品、设备和记录全部清除，登录的人立即退出。不能恢复。',
    en:
      'All stores, products, devices and records of “{name}” are deleted and everyone is signed out. ' +
      'This cannot be undone.',
  },
  going: { zh: '正在清除…', en: 'Deleting…' },
  removing: { zh: '已开始清除', en: 'Deletion started' },
  devices: { zh: '模拟设备和平台', en: 'Simulated devices and platforms' },
  platforms: { zh: '外部平台', en: 'External platforms' },
  platform: { zh: '平台', en: 'Platform' },
  all: { zh: '全部', en: 'All' },
  broken: { zh: '有故障', en: 'With faults' },
  nothing: { zh: '没有这样的设备', en: 'No devices found' },
  online: { zh: '在线', en: 'Online' },
  offline: { zh: '离线', en: 'Offline' },
  faults: { zh: '故障', en: 'Faults' },
  faultsOf: { zh: '{name} 的故障', en: '{name} faults' },
  clear: { zh: '全部恢复', en: 'Clear all faults' },
  doOnce: { zh: '执行一次', en: 'Run once' },
  good: { zh: '正常', en: 'Normal' },
  away: { zh: '模拟设备没有运行', en: 'Simulated devices are not running' },
  kinds: {
    gateway: { zh: '网关', en: 'Gateway' },
    power: { zh: '用电网关', en: 'Power gateway' },
    register: { zh: '收银机', en: 'Register' },
    printer: { zh: '云打印机', en: 'Cloud printer' },
  },
}
