import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  shop_without_place: {
    zh: '门店没有填写经纬度，无法按日落控制',
    en: 'The shop has no latitude and longitude: its sunset is not known',
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
