import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  device_offline: {
    zh: '“{name}”离线，指令没有发出',
    en: '"{name}" is offline; nothing was sent',
  },
  device_busy: {
    zh: '“{name}”的上一操作还在执行，请稍候',
    en: '"{name}" is still at the last command; please wait',
  },
  device_refused: {
    zh: '“{name}”拒绝执行：{message}',
    en: '"{name}" refused: {message}',
  },
  device_failed: {
    zh: '“{name}”执行失败：{message}',
    en: '"{name}" could not do it: {message}',
  },
  was_so_already: {
    zh: '“{name}”已经是这样，指令没有执行',
    en: '"{name}" was like that already; nothing was done',
  },
  device_silent: {
    zh: '指令已下发，“{name}”未确认，请查看现场状态',
    en: 'Sent, but "{name}" has not confirmed it; look at what it shows',
  },
  device_late: {
    zh: '指令已过期，“{name}”没有执行',
    en: 'The command ran out; "{name}" did not do it',
  },
  commands_too_fast: {
    zh: '操作太频繁，每分钟最多 {max} 次',
    en: 'Too many commands: at most {max} a minute',
  },
  command_too_large: {
    zh: '发给“{name}”的内容超过 {max}，没有发出',
    en: 'What was to be sent to "{name}" is more than {max}; nothing was sent',
  },
  command_not_taken: {
    zh: '消息服务器拒绝了发给“{name}”的指令，不再重发',
    en: 'The message broker refused the command for "{name}"; it is not sent again',
  },
  no_device_line: {
    zh: '设备通讯服务未连接，请稍后再试',
    en: 'The line to the devices is down; try again soon',
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
