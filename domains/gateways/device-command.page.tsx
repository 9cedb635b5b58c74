import { page } from '#kit/web/page.tsx'
import { CommandSteps } from './command-steps.tsx'
import { deviceCommand } from './device-command.resource.ts'

/** Everything that left for a device, or did not. */
export default page(deviceCommand, {
  intro: {
    zh: '发给设备的每一条指令，从提出到结果；“已完成”是设备说的，“确认时间”是现场看到的',
    en: 'Every command to a device, from asking to its end; "done" is what the device says, "seen" what showed it',
  },
  beside: (row) => <CommandSteps id={String(row.id)} />,
})
