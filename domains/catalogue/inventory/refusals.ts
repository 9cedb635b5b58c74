import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  good_on_way: {
    zh: '商品“{name}”还在调拨单 {transferNo} 的途中，请先收货或撤回',
    en: 'Product “{name}” is in transit on transfer {transferNo}. Receive or recall it first.',
  },
  good_removed: {
    zh: '商品“{name}”已删除，请先从回收站恢复',
    en: 'Product “{name}” was deleted. Restore it from the recycle bin first.',
  },
  return_order_unpaid: {
    zh: '这个订单没有付款，没有商品可退',
    en: 'The order was not paid. There is nothing to return.',
  },
  return_reason_decides: {
    zh: '原因决定商品是否重新上架，请撤销这条退货后按新的原因登记',
    en: 'The reason decides whether products are restocked. Undo this return and record it with the new reason.',
  },
  batch_too_small: {
    zh: '批次 {batchNo} 只剩 {remaining}，不能扣减 {quantity}',
    en: 'Batch {batchNo} has only {remaining} left. {quantity} cannot be deducted.',
    none: {
      of: 'remaining',
      zh: '批次 {batchNo} 已经用完，不能扣减 {quantity}',
      en: 'Batch {batchNo} is used up. {quantity} cannot be deducted.',
    },
  },
  batch_of_other_good: { zh: '批次不属于这个商品', en: 'The batch does not belong to this product' },
  receipt_quantity: { zh: '入库数量至少为 1', en: 'The received quantity must be at least 1' },
  stock_unknown_good: { zh: '商品不存在，库存未变动', en: 'The product was not found. No stock was changed.' },
  stock_short: {
    zh: '“{name}”库存只有 {stock} 件，不够 {quantity} 件',
    en: 'Only {stock} of “{name}” in stock, {quantity} needed',
    none: {
      of: 'stock',
      zh: '“{name}”没有库存，不够 {quantity} 件',
      en: '“{name}” is out of stock, {quantity} needed',
    },
  },
  goods_twice: { zh: '同一商品只能填一行', en: 'A product can be entered only once' },
  transfer_same_shop: { zh: '调入门店不能是调出门店', en: 'The receiving store must differ from the sending store' },
  transfer_empty: { zh: '调拨单还没有商品', en: 'The transfer has no products yet' },
  transfer_has_left: {
    zh: '调拨单已发出，商品不能再改',
    en: 'The transfer was shipped. Its products can no longer be changed.',
  },
  transfer_too_many: {
    zh: '“{name}”只发出 {quantity}，多出来的请在收货门店盘点入账',
    en: 'Only {quantity} of “{name}” were shipped. Count the extra pieces in the receiving store.',
  },
  transfer_other_goods: {
    zh: '收货中有调拨单以外的商品',
    en: 'The receipt includes products that are not on the transfer',
  },
  transfer_other_shop: { zh: '只有本门店的人员可以操作', en: 'Only staff of this store can do this' },
  stocktake_open: {
    zh: '本店盘点单 {countNo} 还没有结束',
    en: 'Inventory count {countNo} of this store is still open',
  },
  stocktake_nothing: { zh: '所选范围内没有商品', en: 'There are no products in the selected scope' },
  stocktake_other_goods: { zh: '这个商品不在本次盘点范围内', en: 'This product is outside the scope of this count' },
  stocktake_unknown: { zh: '本店没有条码为 {upc} 的商品', en: 'This store has no product with barcode {upc}' },
  count_key_reused: {
    zh: '同一请求标识已用于另一次点数',
    en: 'This request key was already used for another count',
    status: 409,
  },
  stocktake_empty: { zh: '还没有点数，不能过账', en: 'Nothing was counted. The count cannot be posted.' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
