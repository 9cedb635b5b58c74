import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  shop_not_yours: { zh: '门店不存在', en: 'Shop not found', status: 404 },
  unmanned_open: { zh: '“{name}”正在无人值守', en: '"{name}" is unattended already' },
  staff_unknown: { zh: '人员不存在: {name}', en: 'No such person: {name}' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
