import { DetailView } from '#kit/web/detail/detail-view.tsx'
import { page } from '#kit/web/page.tsx'
import type { JobState } from './dictionaries.ts'
import { Paper } from './paper.tsx'
import { printJob } from './print-job.resource.ts'
import type { Part } from './receipt.ts'
import { jobRemedies } from './remedies.ts'
import { WithRemedy } from './remedy.tsx'

export default page(printJob, {
  intro: {
    zh: '打印过和要打印的小票、标签；没有打出来的可以重打',
    en: 'Receipts and labels printed or waiting to be printed. Reprint those that failed.',
  },
  detail: (row) => (
    <WithRemedy words={jobRemedies[row.state as JobState]}>
      <DetailView resource={printJob} row={row} />
    </WithRemedy>
  ),
  beside: (row) => <Paper parts={(row.parts ?? []) as Part[]} columns={Number(row.columns) || 32} />,
})
