import { savedViewActionsSlot } from '#kit/web/list/view-acts.ts'
import { defineSlotFilling } from '#kit/web/base/page-slots.ts'
import type { ModulePages } from '#kit/web/base/module-pages.ts'

export default {
  fills: [
    defineSlotFilling(savedViewActionsSlot, () => import('./view-alarm.tsx')),
    defineSlotFilling(savedViewActionsSlot, () => import('./view-workbook.tsx')),
  ],
  rowPages: { reportView: '/statistics/report/:id' },
  pages: {
    '/report/reportlist': () => import('./report-file.page.tsx'),
    '/statistics/report': () => import('./report-view.page.tsx'),
    '/statistics/report/:id': () => import('./report.page.tsx'),
    '/statistics/reportTiming': () => import('./report-timing.page.tsx'),
    '/statistics/reportSent': () => import('./report-sent.page.tsx'),
    '/statistics/reportSent/:id': () => import('./sent-page.page.tsx'),
  },
} satisfies ModulePages
