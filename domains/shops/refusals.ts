import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  shop_has_orders: {
    zh: '门店“{name}”已有订单，不能删除，只能关店',
    en: 'Shop "{name}" has orders: it can be closed, not removed',
  },
  shop_has_goods: { zh: '门店“{name}”还有商品，请先删除商品', en: 'Shop "{name}" still has goods; remove them first' },
  shop_has_registers: {
    zh: '门店“{name}”还有收银机，请先删除收银机',
    en: 'Shop "{name}" still has registers; remove them first',
  },
  shop_not_yours: { zh: '门店不存在', en: 'Shop not found', status: 404 },
  unmanned_open: { zh: '“{name}”正在无人值守', en: '"{name}" is unattended already' },
  staff_unknown: { zh: '人员不存在: {name}', en: 'No such person: {name}' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
