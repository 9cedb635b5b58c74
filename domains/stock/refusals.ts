import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  good_on_way: {
    zh: '商品“{name}”还在调拨单 {transferNo} 的途中，请先收货或撤回',
    en: '"{name}" is on its way by transfer {transferNo}; receive or recall it first',
  },
  good_removed: {
    zh: '商品“{name}”已删除，请先从回收站恢复',
    en: '"{name}" was removed; take it back from the recycle bin first',
  },
  return_order_unpaid: {
    zh: '该订单没有付款，没有商品可退',
    en: 'The order was not paid: there is nothing to bring back',
  },
  return_reason_decides: {
    zh: '原因决定商品是否重新上架，请撤销这条退货后按新的原因登记',
    en: 'The reason decides whether the pieces go back on the shelf: undo this return and write it anew',
  },
  batch_too_small: {
    zh: '批次 {batchNo} 只剩 {remaining}，不能扣减 {quantity}',
    en: 'Batch {batchNo} has {remaining} left, {quantity} cannot be taken',
    none: {
      of: 'remaining',
      zh: '批次 {batchNo} 已经用完，不能扣减 {quantity}',
      en: 'Batch {batchNo} is used up, {quantity} cannot be taken',
    },
  },
  batch_of_other_good: { zh: '批次不属于该商品', en: 'The batch belongs to other goods' },
  receipt_quantity: { zh: '入库数量至少为 1', en: 'At least one piece is received' },
  stock_unknown_good: { zh: '商品不存在，库存未变动', en: 'Goods not found; no stock was moved' },
  stock_short: {
    zh: '“{name}”库存只有 {stock} 件，不够 {quantity} 件',
    en: 'Only {stock} of "{name}" are in stock, not {quantity}',
    none: {
      of: 'stock',
      zh: '“{name}”没有库存，不够 {quantity} 件',
      en: 'None of "{name}" are in stock, {quantity} are wanted',
    },
  },
  goods_twice: { zh: '同一商品只能填一行', en: 'The same goods stand on one line only' },
  transfer_same_shop: { zh: '调入门店不能是调出门店', en: 'Goods go to another shop than they come from' },
  transfer_empty: { zh: '调拨单还没有商品', en: 'There are no goods on the transfer yet' },
  transfer_has_left: { zh: '调拨单已发出，商品不能再改', en: 'The transfer has left; its goods cannot be changed' },
  transfer_too_many: {
    zh: '“{name}”只发出 {quantity}，多出来的请在收货门店盘点入账',
    en: 'Only {quantity} of "{name}" were sent; count what is more in the receiving shop',
  },
  transfer_other_goods: { zh: '收货中有调拨单以外的商品', en: 'The receipt names goods that were not sent' },
  transfer_other_shop: { zh: '只有本门店的人员可以操作', en: 'Only people of that shop may do this' },
  stocktake_open: { zh: '本店盘点单 {countNo} 还没有结束', en: 'Stocktake {countNo} of this shop is still open' },
  stocktake_nothing: { zh: '所选范围内没有商品', en: 'There are no goods in what is to be counted' },
  stocktake_other_goods: { zh: '该商品不在本次盘点范围内', en: 'These goods are outside of this stocktake' },
  stocktake_unknown: { zh: '本店没有条码为 {upc} 的商品', en: 'The shop has no goods with barcode {upc}' },
  count_key_reused: {
    zh: '同一请求标识已用于另一次点数',
    en: 'This request key was used for another count',
    status: 409,
  },
  stocktake_empty: { zh: '还没有点数，不能过账', en: 'Nothing was counted yet' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
