import { createResourcePage } from '#kit/web/page/page.tsx'
import { annualFeeLog } from './annual-fee-log.resource.ts'

const intro = { zh: '每一笔会员年费和它带来的有效期', en: 'Every membership payment and the validity it granted' }

export default createResourcePage(annualFeeLog, { intro })
