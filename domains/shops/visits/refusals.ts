import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  visit_over: { zh: '顾客已离店', en: 'The customer has left' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
