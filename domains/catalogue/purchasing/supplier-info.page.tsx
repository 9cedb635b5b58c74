import { createResourcePage } from '#kit/web/page/page.tsx'
import { supplierInfo } from './supplier-info.resource.ts'

export default createResourcePage(supplierInfo, {
  intro: { zh: '门店向谁进货，多久到货，怎么结算', en: 'Who stores buy from, lead time and payment terms' },
})
