import { page } from '#kit/web/page.tsx'
import { Paper } from './paper.tsx'
import { printJob } from './print-job.resource.ts'
import type { Part } from './receipt.ts'

export default page(printJob, {
  intro: {
    zh: '打印过和要打印的小票、标签；没有打出来的可以重打',
    en: 'Receipts and labels that were or are to be printed; what did not come out is printed again',
  },
  beside: (row) => <Paper parts={(row.parts ?? []) as Part[]} columns={Number(row.columns) || 32} />,
})
