import { DetailView } from '#kit/web/detail/detail-view.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import type { PrintJobState } from './dictionaries.ts'
import { PrintPreview } from './paper.tsx'
import { printJob } from './print-job.resource.ts'
import type { PrintPart } from './receipt.ts'
import { printJobRemedyTexts } from './remedies.ts'
import { WithRemedy } from './remedy.tsx'

export default createResourcePage(printJob, {
  intro: {
    zh: '打印过和要打印的小票、标签；没有打出来的可以重打',
    en: 'Receipts and labels printed or waiting to be printed. Reprint those that failed.',
  },
  detail: (row) => (
    <WithRemedy words={printJobRemedyTexts[row.state as PrintJobState]}>
      <DetailView resource={printJob} row={row} />
    </WithRemedy>
  ),
  beside: (row) => <PrintPreview parts={(row.parts ?? []) as PrintPart[]} columns={Number(row.columns) || 32} />,
})
