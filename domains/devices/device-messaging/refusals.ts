import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  device_offline: {
    zh: '“{name}”离线，指令没发出去',
    en: '“{name}” is offline. The command was not sent.',
  },
  device_busy: {
    zh: '“{name}”的上一操作还在执行，请稍候',
    en: '“{name}” is still running the previous command. Wait a moment.',
  },
  device_refused: {
    zh: '“{name}”拒绝执行：{message}',
    en: '“{name}” rejected the command: {message}',
  },
  device_failed: {
    zh: '“{name}”执行失败：{message}',
    en: '“{name}” failed to run the command: {message}',
  },
  was_so_already: {
    zh: '“{name}”已经是这样，指令没有执行',
    en: '“{name}” is already in this state. The command was not run.',
  },
  device_silent: {
    zh: '指令已下发，“{name}”未确认，请查看现场状态',
    en: 'The command was sent but “{name}” did not confirm it. Check the status on site.',
  },
  device_late: {
    zh: '指令已过期，“{name}”没有执行',
    en: 'The command expired. “{name}” did not run it.',
  },
  commands_too_fast: {
    zh: '操作太频繁，每分钟最多 {max} 次',
    en: 'Too many commands. The limit is {max} per minute.',
  },
  command_too_large: {
    zh: '发给“{name}”的内容超过 {max}，没有发出',
    en: 'The content for “{name}” is larger than {max} and was not sent',
  },
  command_not_taken: {
    zh: '消息服务器拒绝了发给“{name}”的指令，不再重发',
    en: 'The message broker rejected the command for “{name}”. It is not sent again.',
  },
  no_device_line: {
    zh: '设备通讯服务未连接，请稍后再试',
    en: 'The device messaging service is not connected. Try again later.',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
