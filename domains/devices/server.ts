import './refusals.ts'
import { keptDays } from '#kit/resource/index.ts'
import { defineRoom } from '#kit/server/room.ts'
import {
  audioConfServer,
  cashRegisterClientVersionServer,
  cashRegisterPicServer,
  clientVersionServer,
  deviceInfoServer,
  deviceRoutes,
  epaDeviceServer,
  epaGatewayServer,
  printerInfoServer,
} from './devices.server.ts'
import { deviceDictionaries } from './dictionaries.ts'
import { doorDictionaries } from './door-control-log.resource.ts'
import { doorControlLogServer } from './door-log.server.ts'

export default defineRoom({
  name: 'devices',
  label: { zh: '设备', en: 'Devices' },
  resources: [
    deviceInfoServer,
    epaGatewayServer,
    epaDeviceServer,
    printerInfoServer,
    cashRegisterPicServer,
    cashRegisterClientVersionServer,
    clientVersionServer,
    audioConfServer,
    doorControlLogServer,
  ],
  routes: deviceRoutes,
  forgets: [
    {
      table: 'door_control_log',
      param: keptDays('doorLogDays', 365, { zh: '门禁记录保留天数', en: 'Days the log of doors is kept' }, 30),
    },
  ],
  dictionaries: [...deviceDictionaries, ...doorDictionaries],
  menus: [{ code: 'device', label: { zh: '设备', en: 'Devices' }, path: '/device', icon: 'desktop', sort: 40 }],
})
