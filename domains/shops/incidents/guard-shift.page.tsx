import { page } from '#kit/web/page.tsx'
import { guardShift } from './guard-shift.resource.ts'
import { HandoverView } from './handover-view.tsx'
import './guard.css'

export default page(guardShift, {
  intro: {
    zh: '每一班的交班记录，自动生成',
    en: 'Handover notes for every shift, generated automatically.',
  },
  beside: (row) => <HandoverView key={String(row.id)} id={String(row.id)} version={row.version} />,
})
