import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: {
    '/device/epaGateway': () => import('./power-gateway.page.tsx'),
    '/device/epaDevice': () => import('./power-device.page.tsx'),
  },
  resources: {
    '/device/powerRule': () =>
      import('./power-rule.resource.ts').then((m) => ({
        resource: m.powerRule,
        intro: {
          zh: '用电设备何时自动通断电；几条规则中任一条要求通电就通电，没有规则的设备只能手动控制',
          en:
            'When devices are switched automatically. A device is on if any of its schedules says so. Devices ' +
            'without schedules are switched manually.',
        },
      })),
    '/device/powerTariff': () =>
      import('./power-tariff.resource.ts').then((m) => ({
        resource: m.powerTariff,
        intro: {
          zh: '每度电的价格，可分时段；改价只影响以后的用电',
          en: 'Price per kWh, by time of day. Changes apply only to later consumption.',
        },
      })),
  },
} satisfies ModulePages
