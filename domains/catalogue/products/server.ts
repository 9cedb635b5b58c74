import './refusals.ts'
import { defineModule, defineTodo, serve } from '#kit/server/module/module.ts'
import { goodInfo } from './good-info.resource.ts'
import { goodPriceLog } from './good-price-log.resource.ts'
import { barcodesServer, goodInfoServer, goodsRoutes, goodTypeServer } from './goods.server.ts'

export default defineModule({
  name: 'catalogue/products',
  label: { zh: '商品', en: 'Products' },
  resources: [goodInfoServer, goodTypeServer, barcodesServer, serve(goodPriceLog)],
  routes: goodsRoutes,
  todos: [
    defineTodo(goodInfo, {
      key: 'lowStock',
      label: { zh: '库存不足', en: 'Low stock' },
      icon: 'inbox',
      tone: 'warn',
      sort: 70,
      own: ['isLow'],
      query: () => ({ isLow: 'true', onSale: 'true' }),
      order: { ascs: 'stock' },
      line: { title: 'name', notes: ['stock', 'shelfNo', 'shopId'] },
    }),
  ],
  menus: [
    { code: 'goods', label: { zh: '商品', en: 'Products & inventory' }, path: '/goods', icon: 'shopping', sort: 20 },
  ],
})
