import type { ModulePages } from '#kit/web/base/module-pages.ts'

export { deviceLinkActionsSlot, type DeviceLinkAction, type DeviceLinkRow } from './slots.ts'

export default {
  pages: {
    '/device/deviceLink': () => import('./device-link.page.tsx'),
    '/device/deviceMessage': () => import('./device-message.page.tsx'),
    '/device/deviceCommand': () => import('./device-command.page.tsx'),
  },
} satisfies ModulePages
