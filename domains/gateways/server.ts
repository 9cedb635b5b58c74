import './refusals.ts'
import './silent-links.ts'
import { keptDays } from '#kit/resource/index.ts'
import { defineRoom } from '#kit/server/room.ts'
import { brokerHookRoutes } from './broker-hook.ts'
import { deviceCommandRoutes, deviceCommandServer } from './device-command.server.ts'
import { deviceEventTable, deviceLitterTable } from './device-event.ts'
import { deviceHolderTable, deviceKeyTable } from './device-key.ts'
import { deviceLinkServer } from './device-link.server.ts'
import { gatewayDictionaries } from './dictionaries.ts'
import { commandDueTable } from './due.ts'
import { gatewayCommandRoutes } from './gateway-commands.ts'
import { listenToDevices } from './listener.ts'
import { desiredJob, pushSettings } from './shop-settings.ts'

export default defineRoom({
  name: 'gateways',
  label: { zh: '设备通讯', en: 'Device links' },
  resources: [deviceLinkServer, deviceCommandServer],
  extends: [pushSettings],
  jobs: [desiredJob],
  routes: [...deviceCommandRoutes, ...gatewayCommandRoutes, ...brokerHookRoutes],
  tables: [deviceKeyTable, deviceHolderTable, commandDueTable, deviceEventTable, deviceLitterTable],
  dictionaries: gatewayDictionaries,
  start: listenToDevices,
  forgets: [
    {
      table: 'device_event',
      param: keptDays('deviceEventDays', 30, { zh: '设备上报保留天数', en: 'Days reports of devices are kept' }, 7),
    },
    {
      table: 'device_message_aside',
      param: keptDays(
        'deviceAsideDays',
        7,
        {
          zh: '无法识别的设备消息保留天数',
          en: 'Days unreadable messages of devices are kept',
        },
        1,
      ),
    },
    {
      table: 'device_command',
      param: keptDays(
        'deviceCommandDays',
        180,
        { zh: '设备指令保留天数', en: 'Days commands to devices are kept' },
        30,
      ),
      where: `state not in ('asked', 'sent', 'taken')`,
    },
  ],
})
