import { createResourcePage } from '#kit/web/page/page.tsx'
import { shoppingCartOnline } from './shopping-cart.resource.ts'

const words = {
  intro: {
    zh: '顾客在小程序里加入、还没有下单的商品',
    en: 'Products customers added in the mini program and have not ordered yet',
  },
}

export default createResourcePage(shoppingCartOnline, { intro: words.intro })
