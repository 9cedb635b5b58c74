import './refusals.ts'
import './silent-links.ts'
import { defineRetentionParam } from '#kit/resource/index.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { brokerHookRoutes } from './broker-hook.ts'
import { deviceCommandRoutes, deviceCommandServer } from './device-command.server.ts'
import { deviceEventTable } from './device-event.ts'
import { deviceMessage, deviceMessageDictionaries, DEVICE_MESSAGE_STATE } from './device-message.resource.ts'
import { deviceMessageServer, retryDeviceMessageJob } from './device-message.server.ts'
import { clientIdHolderTable, deviceKeyTable } from './device-key.ts'
import { deviceLinkServer } from './device-link.server.ts'
import { deviceLinkDictionaries } from './dictionaries.ts'
import { commandDueTable } from './due.ts'
import { gatewayCommandRoutes } from './gateway-commands.ts'
import { listenToDevices } from './listener.ts'
import { pushGatewayDesiredStateJob, pushConfToGatewayExtension } from './shop-settings.ts'

export default defineModule({
  name: 'devices/device-messaging',
  label: { zh: '设备通讯', en: 'Device messaging' },
  resources: [deviceLinkServer, deviceCommandServer, deviceMessageServer],
  extends: [pushConfToGatewayExtension],
  jobs: [pushGatewayDesiredStateJob, retryDeviceMessageJob],
  routes: [...deviceCommandRoutes, ...gatewayCommandRoutes, ...brokerHookRoutes],
  tables: [deviceKeyTable, clientIdHolderTable, commandDueTable, deviceEventTable],
  dictionaries: [...deviceLinkDictionaries, ...deviceMessageDictionaries],
  todos: [
    defineTodo(deviceMessage, {
      key: 'deviceMessagesFailed',
      label: { zh: '没能处理的设备消息', en: 'Unprocessed device messages' },
      query: () => ({ state: DEVICE_MESSAGE_STATE.open }),
      line: { title: 'linkId', notes: ['clientId', 'fault', 'reason'], time: 'lastTime' },
      icon: 'inbox',
      tone: 'bad',
    }),
  ],
  start: listenToDevices,
  retention: [
    {
      table: 'device_event',
      param: defineRetentionParam(
        'deviceEventDays',
        30,
        { zh: '设备上报保留天数', en: 'Device report retention (days)' },
        7,
      ),
    },
    {
      table: 'device_message_aside',
      param: defineRetentionParam(
        'deviceAsideDays',
        7,
        {
          zh: '异常设备消息保留天数',
          en: 'Failed device message retention (days)',
        },
        1,
      ),
    },
    {
      table: 'device_command',
      param: defineRetentionParam(
        'deviceCommandDays',
        180,
        { zh: '设备指令保留天数', en: 'Device command retention (days)' },
        30,
      ),
      where: `state not in ('asked', 'sent', 'taken')`,
    },
  ],
})
