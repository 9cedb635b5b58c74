import { defineDict } from '#kit/resource/index.ts'

export const deviceLinkDictionaries = [
  defineDict({
    code: 'device_kind',
    label: { zh: '联网设备', en: 'Connected device type' },
    entries: [
      { key: 'gateway', zh: '门店网关', en: 'Store gateway' },
      { key: 'power', zh: '用电网关', en: 'Power gateway' },
      { key: 'register', zh: '收银机', en: 'Register' },
    ],
  }),
  defineDict({
    code: 'link_state',
    label: { zh: '连接状态', en: 'Connection status' },
    entries: [
      { key: 'online', zh: '在线', en: 'Online', colour: 'success' },
      { key: 'offline', zh: '离线', en: 'Offline', colour: 'error' },
      { key: 'unknown', zh: '未知', en: 'Unknown', colour: 'default' },
    ],
  }),
  defineDict({
    code: 'link_end',
    label: { zh: '设备离线原因', en: 'Device offline reason' },
    entries: [
      { key: 'lost', zh: '连接中断', en: 'Connection lost', colour: 'error' },
      { key: 'silent', zh: '心跳超时', en: 'Heartbeat timeout', colour: 'error' },
      { key: 'left', zh: '设备主动断开', en: 'Disconnected by device', colour: 'default' },
      { key: 'restart', zh: '设备正在重启', en: 'Restarting', colour: 'processing' },
    ],
  }),
  defineDict({
    code: 'link_refusal',
    label: { zh: '设备登录被拒原因', en: 'Device sign-in rejection reason' },
    entries: [
      { key: 'wrongKey', zh: '密钥不对', en: 'Wrong credentials', colour: 'error' },
      { key: 'noKey', zh: '没有密钥', en: 'No credentials issued', colour: 'error' },
      { key: 'wrongName', zh: '用户名不对', en: 'Wrong user name', colour: 'error' },
    ],
  }),
  defineDict({
    code: 'command_state',
    label: { zh: '指令状态', en: 'Command status' },
    entries: [
      { key: 'asked', zh: '待发送', en: 'Queued', colour: 'default' },
      { key: 'sent', zh: '已发送', en: 'Sent', colour: 'processing' },
      { key: 'taken', zh: '执行中', en: 'Running', colour: 'processing' },
      { key: 'done', zh: '已完成', en: 'Completed', colour: 'success' },
      { key: 'refused', zh: '已拒绝', en: 'Rejected', colour: 'error' },
      { key: 'failed', zh: '执行失败', en: 'Failed', colour: 'error' },
      { key: 'expired', zh: '已过期，未执行', en: 'Expired, not run', colour: 'default' },
      { key: 'canceled', zh: '已取消', en: 'Canceled', colour: 'default' },
      { key: 'unknown', zh: '未确认', en: 'Unconfirmed', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'command_source',
    label: { zh: '指令来源', en: 'Command source' },
    entries: [
      { key: 'office', zh: '后台', en: 'Back office', colour: 'processing' },
      { key: 'customer', zh: '顾客', en: 'Customer' },
      { key: 'schedule', zh: '定时', en: 'Schedule' },
      { key: 'event', zh: '事件', en: 'Event' },
      { key: 'system', zh: '系统', en: 'System' },
    ],
  }),
]
