import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  street_away: {
    status: 503,
    zh: '模拟设备没有运行，请稍后再试',
    en: 'The simulated devices are not running; try again',
  },
  street_fault: { status: 400, zh: '这台设备没有这种故障', en: 'This device cannot have that fault' },
  practice_enough: {
    status: 409,
    zh: '最多同时有 {max} 个练习租户，请先清除一个',
    en: 'There are {max} practice tenants already; remove one first',
  },
  practice_played: { status: 409, zh: '这一天还没过完', en: 'The day being played is not over' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
