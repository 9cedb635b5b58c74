import { createResourcePage } from '#kit/web/page/page.tsx'
import { guardShift } from './guard-shift.resource.ts'
import { ShiftHandoverView } from './handover-view.tsx'
import './guard.css'

export default createResourcePage(guardShift, {
  intro: {
    zh: '每一班的交班记录，自动生成',
    en: 'Handover notes for every shift, generated automatically.',
  },
  beside: (row) => <ShiftHandoverView key={String(row.id)} id={String(row.id)} version={row.version} />,
})
