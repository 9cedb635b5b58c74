import { createResourcePage } from '#kit/web/page/page.tsx'
import { eleSkuInfo } from './ele-sku-info.resource.ts'

export default createResourcePage(eleSkuInfo, {
  intro: {
    zh: '在饿了么销售的商品；改动等待同步到平台',
    en: 'Products sold at Ele.me. Changes wait to be synced to the platform.',
  },
})
