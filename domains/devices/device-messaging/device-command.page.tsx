import { createResourcePage } from '#kit/web/page/page.tsx'
import { CommandSteps } from './command-steps.tsx'
import { deviceCommand } from './device-command.resource.ts'

/** List of all commands, sent or not, with the steps of the selected one. */
export default createResourcePage(deviceCommand, {
  intro: {
    zh: '发给设备的每一条指令，从提出到结果；“已完成”是设备报告的，“确认时间”是现场看到的',
    en:
      'Every command sent to devices, from request to result. “Completed” is reported by the device, ' +
      '“Verified” is seen on site.',
  },
  beside: (row) => <CommandSteps id={String(row.id)} />,
})
