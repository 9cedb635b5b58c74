import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  supplier_stopped: { zh: '供应商“{name}”已停用', en: 'Supplier "{name}" is stopped' },
  supply_not_on_sale: { zh: '“{name}”供应商已停售', en: 'The supplier does not sell "{name}" any more' },
  supply_not_enough: {
    zh: '“{name}”供应商只有 {stock}{unit}，订不了 {quantity}{unit}',
    en: 'The supplier has only {stock} {unit} of "{name}", not {quantity} {unit}',
    none: { of: 'stock', zh: '“{name}”供应商没有货了', en: 'The supplier has no "{name}" left' },
  },
  supply_too_few: { zh: '“{name}”最少订 {min}{unit}', en: '"{name}" is sold from {min} {unit} on' },
  supply_not_whole_boxes: {
    zh: '“{name}”整箱订货，每箱 {box}{unit}，订 {quantity} 不是整箱',
    en: '"{name}" comes in boxes of {box} {unit}; {quantity} is not a whole number of boxes',
  },
  shop_does_not_carry: {
    zh: '门店“{shop}”还没有商品“{name}”（条码 {upc}），请先在商品里添加',
    en: 'Shop "{shop}" does not carry "{name}" (barcode {upc}) yet; add it to its goods first',
  },
  cart_moved: {
    status: 409,
    zh: '“{name}”刚刚有别人改动或下单（采购车 {inCart}，在途 {onOrder}），请核对数量后再试',
    en: 'Somebody has just changed or ordered "{name}" (cart {inCart}, on its way {onOrder}); look again',
  },
  cart_is_empty: { zh: '采购车是空的', en: 'The cart is empty' },
  order_lines_missing: { zh: '请至少订一种商品', en: 'Order at least one kind of goods' },
  order_line_twice: { zh: '“{name}”在单子里出现了两次', en: '"{name}" stands in the order twice' },
  received_meanwhile: {
    zh: '“{name}”刚刚已有人收货 {received} 件，请按最新数量再收',
    en: 'Somebody has just received {received} of "{name}"; look again',
  },
  received_too_many: {
    zh: '“{name}”还欠 {open} 件，不能收 {quantity} 件',
    en: '{open} of "{name}" are still due, {quantity} cannot be received',
    none: {
      of: 'open',
      zh: '“{name}”已经收齐，不能再收 {quantity} 件',
      en: 'All of "{name}" has come, {quantity} more cannot be received',
    },
  },
  received_expired: {
    zh: '“{name}”已于 {date} 过期，不能收货；日期填错请改正，真过期的请拒收',
    en: '"{name}" has been past its date since {date} and cannot be received; correct the date, or send it back',
  },
  nothing_received: { zh: '请填写本次收到的数量', en: 'Say what has come' },
  not_all_received: { zh: '一件都没有收到，请改为取消采购单', en: 'Nothing has come at all: cancel the order instead' },
  settlement_differs: {
    zh: '应付 {due} 元，与填写的 {amount} 元不符，请写明原因',
    en: '{due} yuan are due and not {amount}; say why',
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
