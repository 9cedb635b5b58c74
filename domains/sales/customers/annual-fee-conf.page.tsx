import { createResourcePage } from '#kit/web/page/page.tsx'
import { annualFeeConf } from './annual-fee-conf.resource.ts'

const intro = {
  zh: '在售的会员年费；购买后自动得到等级和有效期',
  en: 'Memberships for sale. A purchase grants the tier and its validity automatically.',
}

export default createResourcePage(annualFeeConf, { intro })
