import { listBarcodeForms } from '#domains/catalogue/products/index.ts'
import { shopIdField } from '#domains/shops/shops/index.ts'
import { defineResource, f, type MenuPlace, type LocalizedText } from '#kit/resource/index.ts'

const cart = <const N extends string>(name: N, label: LocalizedText, menu: MenuPlace) =>
  defineResource({
    name,
    path: `/api/shop/${name}`,
    label,
    tenancy: 'tenant',
    writer: 'customer',
    scope: { shop: 'shopId' },
    menu,
    title: 'upc',
    fields: {
      shopId: shopIdField(),
      wxUserId: f.ref('wxUser', {
        label: { zh: '顾客', en: 'Customer' },
        labelKey: 'nickname',
        search: 'eq',
        width: 120,
      }),
      goodId: f.ref('goodInfo', {
        label: { zh: '商品', en: 'Products' },
        labelKey: 'goodName',
        search: 'eq',
        width: 180,
      }),
      upc: f.text({
        forms: listBarcodeForms,
        label: { zh: '条码', en: 'Barcode' },
        max: 13,
        search: 'likeright',
        width: 140,
      }),
      quantity: f.number({ label: { zh: '数量', en: 'Quantity' }, min: 1, max: 9999, width: 80 }),
      price: f.money({ label: { zh: '加入时价格', en: 'Price when added' }, width: 110 }),
      checked: f.boolean({ label: { zh: '已勾选', en: 'Selected' }, default: true, search: 'eq', width: 80 }),
    },
    list: {
      columns: ['wxUserId', 'goodId', 'quantity', 'price', 'checked', 'shopId', 'createTime', 'upc'],
      time: 'createTime',
    },
    row: { title: 'goodId', sub: ['wxUserId', 'shopId'] },
    unique: [['shopId', 'wxUserId', 'goodId']],
    indexes: [['wxUserId'], ['goodId']],
  })

/** Products customers have picked inside a shop and not paid yet. */
export const shoppingCart = cart(
  'shoppingCart',
  { zh: '店内购物车', en: 'In-store cart' },
  {
    under: 'goods',
    path: '/goods/shoppingCart',
    icon: 'shopping-cart',
    sort: 70,
  },
)

/** Products customers have put into their cart online and not ordered yet. */
export const shoppingCartOnline = cart(
  'shoppingCartOnline',
  { zh: '线上购物车', en: 'Online cart' },
  {
    under: 'goods',
    path: '/goods/shoppingCartOnline',
    icon: 'mobile',
    sort: 72,
  },
)
