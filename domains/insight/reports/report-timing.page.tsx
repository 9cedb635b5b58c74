import { createResourcePage } from '#kit/web/page/page.tsx'
import { reportTiming } from './report-timing.resource.ts'
import { reportTimingFormProps } from './timing-form.tsx'

export default createResourcePage(reportTiming, {
  intro: {
    zh: '报表和列表视图按时送到，每个人只收到自己有权看的数据',
    en: 'Reports and list views delivered on schedule. Everyone only receives data they can see.',
  },
  inputs: reportTimingFormProps.inputs,
  cells: { viewId: ({ row }) => <>{row.viewName}</> },
  formLayout: reportTimingFormProps.layout,
})
