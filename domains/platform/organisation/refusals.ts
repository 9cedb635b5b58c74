import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  dept_moves_rows: {
    status: 403,
    zh: '您能看到的数据取决于部门，不能移动自己看不到的部门',
    en: 'Your departments determine which data you see. You cannot move a department you cannot see.',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
