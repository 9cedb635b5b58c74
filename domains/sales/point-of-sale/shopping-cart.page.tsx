import { createResourcePage } from '#kit/web/page/page.tsx'
import { shoppingCart } from './shopping-cart.resource.ts'

const words = {
  intro: {
    zh: '顾客在店里扫码加入、还没有付款的商品',
    en: 'Products customers scanned in the store and have not paid for yet',
  },
}

export default createResourcePage(shoppingCart, { intro: words.intro })
