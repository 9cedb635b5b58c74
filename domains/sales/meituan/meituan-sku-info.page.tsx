import { createResourcePage } from '#kit/web/page/page.tsx'
import { meituanSkuInfo } from './meituan-sku-info.resource.ts'

export default createResourcePage(meituanSkuInfo, {
  intro: {
    zh: '在美团销售的商品；改动等待同步到平台',
    en: 'Products sold at Meituan. Changes wait to be synced to the platform.',
  },
})
