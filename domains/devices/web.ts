import type { RoomPages } from '#kit/web/rooms.ts'

export default {
  pages: {
    '/shop/doorControlLog': () => import('./door-control-log.page.tsx'),
    '/device/deviceInfo': () => import('./device-info.page.tsx'),
    '/device/cashRegisterClientVersion': () => import('./register-version.page.tsx'),
    '/device/clientVersion': () => import('./gateway-version.page.tsx'),
    '/device/printerInfo': () => import('./printer-info.page.tsx'),
  },
  resources: {
    '/device/epaGateway': () =>
      import('./epa.resource.ts').then((m) => ({
        resource: m.epaGateway,
        intro: {
          zh: '门店里管用电设备的网关；在线、时钟和固件由网关上报',
          en: 'Gateways that switch and meter power in the shops; they report their own state',
        },
      })),
    '/device/epaDevice': () =>
      import('./epa.resource.ts').then((m) => ({
        resource: m.epaDevice,
        intro: {
          zh: '灯、空调、招牌这些用电设备，电压、电流和电量由网关上报',
          en: 'Lights, air conditioners and signs, with what the gateway measures',
        },
      })),
    '/device/cashRegisterPic': () =>
      import('./screens.resource.ts').then((m) => ({
        resource: m.cashRegisterPic,
        intro: {
          zh: '收银机屏幕空闲时轮播的图片，按门店和时间生效',
          en: 'Pictures registers show while nobody pays, by shop and time',
        },
      })),
    '/device/audioConf': () =>
      import('./audio-conf.resource.ts').then((m) => ({
        resource: m.audioConf,
        intro: {
          zh: '进店、离店、定时要播的话；文字在这里写，音频生成后才有时长',
          en: 'What the shops say on entering, leaving or by the clock; the length is known once the sound is made',
        },
      })),
  },
} satisfies RoomPages
