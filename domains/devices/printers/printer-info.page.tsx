import { DetailView } from '#kit/web/detail/detail-view.tsx'
import { createResourcePage } from '#kit/web/page/page.tsx'
import type { PrinterState } from './dictionaries.ts'
import { printerInfo } from './printer-info.resource.ts'
import { printerRemedyTexts } from './remedies.ts'
import { WithRemedy } from './remedy.tsx'

export default createResourcePage(printerInfo, {
  intro: { zh: '门店的小票、标签和后厨打印机', en: 'Receipt, label and kitchen printers of the stores' },
  detail: (row) => (
    <WithRemedy words={printerRemedyTexts[Number(row.status) as PrinterState]}>
      <DetailView resource={printerInfo} row={row} />
    </WithRemedy>
  ),
})
