import { page } from '#kit/web/page.tsx'
import { printerInfo } from './printer-info.resource.ts'

export default page(printerInfo, {
  intro: { zh: '门店的小票、标签和后厨打印机', en: 'Printers of the shops for receipts, labels and kitchens' },
})
