import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  print_unknown: { status: 404, zh: '没有“{name}”这种单据', en: 'Document “{name}” does not exist' },
  print_not_yet: { zh: '“{number}”现在还不能打印{document}', en: '“{number}” cannot print {document} yet' },
  print_too_many: {
    zh: '一次最多打印 {max} 张单据',
    en: 'You can print up to {max} {max|document|documents} at a time',
  },
  print_too_long: {
    zh: '“{number}”的明细超过 {max} 行，请用不含明细的模板，或导出表格',
    en: '“{number}” has more than {max} lines. Use a template without lines, or export the list.',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
