import './refusals.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { supplierDictionaries } from './dictionaries.ts'
import {
  supplierCartServer,
  supplierGoodsServer,
  supplierInfoServer,
  supplierOrderDetailServer,
  supplierOrderServer,
  supplierOrderRoutes,
} from './suppliers.server.ts'

export default defineModule({
  name: 'catalogue/purchasing',
  label: { zh: '采购', en: 'Purchasing' },
  resources: [
    supplierInfoServer,
    supplierGoodsServer,
    supplierCartServer,
    supplierOrderServer,
    supplierOrderDetailServer,
  ],
  routes: supplierOrderRoutes,
  dictionaries: supplierDictionaries,
  menus: [{ code: 'supplier', label: { zh: '采购', en: 'Purchasing' }, path: '/supplier', icon: 'shopping', sort: 60 }],
})
