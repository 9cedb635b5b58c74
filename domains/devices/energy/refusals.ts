import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  shop_without_place: {
    zh: '门店没有填经纬度，不能按日落控制',
    en: 'The store has no coordinates. Sunset cannot be calculated. Enter its latitude and longitude.',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
