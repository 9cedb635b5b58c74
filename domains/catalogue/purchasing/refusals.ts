import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  supplier_stopped: { zh: '供应商“{name}”已停用', en: 'Supplier “{name}” is inactive' },
  supply_not_on_sale: { zh: '“{name}”供应商已停售', en: 'The supplier no longer sells “{name}”' },
  supply_not_enough: {
    zh: '“{name}”供应商只有 {stock}{unit}，订不了 {quantity}{unit}',
    en: 'The supplier has only {stock} {unit} of “{name}”. {quantity} {unit} cannot be ordered.',
    none: { of: 'stock', zh: '“{name}”供应商没有货了', en: '“{name}” is out of stock at the supplier' },
  },
  supply_too_few: { zh: '“{name}”最少订 {min}{unit}', en: 'The minimum order for “{name}” is {min} {unit}' },
  supply_not_whole_boxes: {
    zh: '“{name}”整箱订货，每箱 {box}{unit}，订 {quantity} 不是整箱',
    en: '“{name}” is sold in boxes of {box} {unit}. {quantity} is not a full box quantity.',
  },
  shop_does_not_carry: {
    zh: '门店“{shop}”还没有商品“{name}”（条码 {upc}），请先在商品里添加',
    en: 'Store “{shop}” does not have product “{name}” (barcode {upc}) yet. Add it under “Products” first.',
  },
  cart_moved: {
    status: 409,
    zh: '“{name}”刚刚有别人改动或下单（进货车 {inCart}，在途 {onOrder}），请核对数量后再试',
    en:
      'Someone just changed or ordered “{name}” (in cart {inCart}, on order {onOrder}). Check the ' +
      'quantity and try again.',
  },
  cart_is_empty: { zh: '进货车是空的', en: 'The purchase cart is empty' },
  order_lines_missing: { zh: '请至少订一种商品', en: 'Order at least one product' },
  order_line_twice: { zh: '“{name}”在单子里出现了两次', en: '“{name}” appears twice in the order' },
  received_meanwhile: {
    zh: '“{name}”刚刚已有人收货 {received} 件，请按最新数量再收',
    en: 'Someone just received {received} of “{name}”. Receive it with the latest quantity.',
  },
  received_too_many: {
    zh: '“{name}”还欠 {open} 件，不能收 {quantity} 件',
    en: '“{name}” has {open} due. You cannot receive {quantity}.',
    none: {
      of: 'open',
      zh: '“{name}”已经收齐，不能再收 {quantity} 件',
      en: '“{name}” was received in full. You cannot receive {quantity} more.',
    },
  },
  received_expired: {
    zh: '“{name}”已于 {date} 过期，不能收货；日期填错请改正，真过期的请拒收',
    en: '“{name}” expired on {date} and cannot be received. Correct the date or reject the delivery.',
  },
  nothing_received: { zh: '请填写本次收到的数量', en: 'Enter the quantity received' },
  not_all_received: {
    zh: '一件都没有收到，请改为取消采购单',
    en: 'If nothing arrived, cancel the purchase order instead',
  },
  settlement_differs: {
    zh: '应付 {due} 元，与填写的 {amount} 元不符，请写明原因',
    en: '¥{due} is due but ¥{amount} was entered. Enter a reason.',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
