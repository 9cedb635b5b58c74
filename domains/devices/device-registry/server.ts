import './refusals.ts'
import { defineModule } from '#kit/server/module/module.ts'
import {
  cashRegisterClientVersionServer,
  cashRegisterPicServer,
  clientVersionServer,
  deviceInfoServer,
  programVersionRoutes,
} from './devices.server.ts'
import { deviceDictionaries } from './dictionaries.ts'

export default defineModule({
  name: 'devices/device-registry',
  label: { zh: '设备', en: 'Devices' },
  resources: [deviceInfoServer, cashRegisterPicServer, cashRegisterClientVersionServer, clientVersionServer],
  routes: programVersionRoutes,
  dictionaries: deviceDictionaries,
  menus: [{ code: 'device', label: { zh: '设备', en: 'Devices' }, path: '/device', icon: 'desktop', sort: 40 }],
})
