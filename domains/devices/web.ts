import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/device/cashRegister': () => import('./cash-register.page.tsx'),
    '/device/deviceInfo': () => import('./device-info.page.tsx'),
    '/device/printerInfo': () => import('./printer-info.page.tsx'),
  },
  resources: {
    '/device/epaGateway': () => import('./epa.resource.ts').then((m) => ({ resource: m.epaGateway })),
    '/device/epaDevice': () => import('./epa.resource.ts').then((m) => ({ resource: m.epaDevice })),
    '/device/cashRegisterPic': () => import('./screens.resource.ts').then((m) => ({ resource: m.cashRegisterPic })),
    '/device/cashRegisterClientVersion': () => import('./versions.resource.ts').then((m) => ({ resource: m.cashRegisterClientVersion })),
    '/device/clientVersion': () => import('./versions.resource.ts').then((m) => ({ resource: m.clientVersion })),
    '/device/audioConf': () => import('./audio-conf.resource.ts').then((m) => ({ resource: m.audioConf })),
  },
} satisfies RoomPages
