import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  shop_not_yours: { zh: '门店不存在', en: 'Store not found', status: 404 },
  unmanned_open: { zh: '“{name}”正在无人值守', en: '“{name}” is already in unattended mode' },
  staff_unknown: { zh: '人员不存在: {name}', en: 'Person not found: {name}' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
