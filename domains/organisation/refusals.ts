import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  dept_moves_rows: {
    status: 403,
    zh: '您能看到的数据取决于部门，不能移动自己看不到的部门',
    en: 'Departments decide which rows you see; you cannot move one that is not among your own',
  },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
