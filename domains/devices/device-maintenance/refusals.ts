import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  program_not_ready: {
    zh: '版本 {version} 不能升级：要先上传安装包并发布',
    en: 'Version {version} cannot be rolled out. Upload and publish its package first.',
  },
  waves_must_rise: {
    zh: '批次应递增，最多 100',
    en: 'Stages must increase, up to 100',
  },
  window_needs_both: {
    zh: '升级时段要同时填开始和结束',
    en: 'Enter both start and end of the upgrade window',
  },
  rollout_began: {
    zh: '“{name}”已经开始，不能修改或删除',
    en: '“{name}” has started and cannot be changed or deleted',
  },
  rollout_running: {
    zh: '“{name}”正在升级同一种程序，请先等它结束或停止它',
    en: '“{name}” is rolling out the same program. Wait until it ends or stop it.',
  },
  rollout_without_devices: {
    zh: '没有适用的设备',
    en: 'No matching devices',
  },
  program_of_others: {
    zh: '版本 {version} 是另一个租户的，请选择设备所属租户的版本',
    en: 'Version {version} belongs to another tenant. Select a version of the tenant that owns the device.',
  },
  program_wrong_device: {
    zh: '版本 {version} 不适用于“{name}”',
    en: 'Version {version} does not support “{name}”',
  },
  program_is_there: {
    zh: '“{name}”已是版本 {version}',
    en: '“{name}” already has version {version}',
  },
  remote_session_taken: {
    zh: '“{name}”的远程会话正由 {user} 使用，可以旁观',
    en: '{user} is using the remote session of “{name}”. You can watch it.',
  },
  remote_session_over: {
    zh: '远程会话已结束',
    en: 'The remote session has ended',
  },
  remote_session_of_another: {
    zh: '只有打开会话的人可以输入命令',
    en: 'Only the person who opened the session can enter commands',
  },
  tenant_devices_not_granted: {
    status: 403,
    zh: '操作其他租户的设备，要有角色明确授予“远程操作租户的设备”',
    en: 'To operate devices of other tenants, a role must grant “Operate tenant devices remotely” explicitly',
  },
  remote_command_not_allowed: {
    zh: '“{command}”不在允许的命令中',
    en: '“{command}” is not an allowed command',
  },
  remote_command_hidden: {
    zh: '日志会隐去密钥，连同其中的命令符号；请把密钥放入文件，或分开输入',
    en:
      'The log hides secrets together with the command characters in them. Put the secret in a file or ' +
      'enter it separately.',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
