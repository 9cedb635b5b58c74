import { columnSettingsFooterSlot } from '#kit/web/list/list-slots.ts'
import { defineSlotFilling } from '#kit/web/base/page-slots.ts'
import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  pages: { '/system/ownfield': () => import('./own-field.page.tsx') },
  fills: [defineSlotFilling(columnSettingsFooterSlot, () => import('./add-field.panel.tsx'))],
} satisfies ModulePages
