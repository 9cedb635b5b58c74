import { terminals } from '#domains/identity/doors.ts'
import './refusals.ts'
import { defineRoom, needOf } from '#kit/server/room.ts'
import { cashRegisterServer } from './cash-register.server.ts'
import { createTerminals, registerKeyTable } from './credentials.ts'
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
import { registerSaleTable } from './sale.ts'
import { terminalRoutes } from './terminal.server.ts'
import { cashRegister } from './cash-register.resource.ts'

export default defineRoom({
  name: 'devices',
  label: { zh: '设备', en: 'Devices' },
  resources: [
    cashRegisterServer,
    deviceInfoServer,
    epaGatewayServer,
    epaDeviceServer,
    printerInfoServer,
    cashRegisterPicServer,
    cashRegisterClientVersionServer,
    clientVersionServer,
    audioConfServer,
  ],
  routes: [...terminalRoutes, ...deviceRoutes],
  tables: [registerKeyTable, registerSaleTable],
  dictionaries: deviceDictionaries,
  needs: [
    needOf(cashRegister, {
      key: 'offlineRegisters',
      label: { zh: '收银机离线', en: 'Registers offline' },
      icon: 'desktop',
      tone: 'warn',
      own: ['isOffline'],
      query: () => ({ isOffline: 'true' }),
      line: { title: 'name', notes: ['sn', 'shopId'], time: 'lastHeartbeat' },
    }),
  ],
  menus: [{ code: 'device', label: { zh: '设备', en: 'Devices' }, path: '/device', icon: 'desktop', sort: 40 }],
  start: async (services) => {
    services.slots.fill(terminals, createTerminals(services))
  },
})
