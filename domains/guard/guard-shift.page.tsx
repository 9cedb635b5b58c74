import { page } from '#kit/web/page.tsx'
import { guardShift } from './guard-shift.resource.ts'
import { HandoverView } from './handover-view.tsx'
import './guard.css'

export default page(guardShift, {
  intro: {
    zh: '每一班自己写好的交班内容：来了什么、处理了什么、还剩什么、请留意什么',
    en: 'What each watch handed over, written by itself: what came, was done, is open, and is to be watched',
  },
  beside: (row) => <HandoverView key={String(row.id)} id={String(row.id)} version={row.version} />,
})
