import { defineRefusals } from '#kit/server/refused.ts'

defineRefusals({
  type_has_goods: {
    zh: '分类“{name}”下还有商品，不能删除',
    en: 'Type "{name}" still holds goods and cannot be removed',
  },
  type_of_other_shop: { zh: '分类“{name}”属于其他门店', en: 'Type "{name}" belongs to another shop' },
  good_has_stock: {
    zh: '商品“{name}”还有库存，请先盘点清零',
    en: '"{name}" is still in stock; count it down to zero first',
  },
  good_of_other_shop: { zh: '商品不属于所选门店', en: 'The goods belong to another shop' },
  batch_too_small: {
    zh: '批次 {batchNo} 只剩 {remaining}，不能扣减 {quantity}',
    en: 'Batch {batchNo} has {remaining} left, {quantity} cannot be taken',
  },
  batch_of_other_good: { zh: '批次不属于该商品', en: 'The batch belongs to other goods' },
  receipt_quantity: { zh: '入库数量至少为 1', en: 'At least one piece is received' },
  stock_unknown_good: { zh: '商品不存在，库存未变动', en: 'Goods not found; no stock was moved' },
})
