import { createResourcePage } from '#kit/web/page/page.tsx'
import { supplierGoodsInfo } from './supplier-goods-info.resource.ts'

export default createResourcePage(supplierGoodsInfo, {
  intro: {
    zh: '供应商卖什么、什么价、怎么装箱；同一条码按最低价建议订货',
    en: 'What suppliers sell, at what price and box size. The lowest price per barcode is suggested.',
  },
})
