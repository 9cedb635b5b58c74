import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  print_account_missing: {
    zh: '请先在“云打印账号”中添加并启用{maker}账号',
    en: 'Add and activate a {maker} account under “Cloud print accounts” first',
  },
  printer_refused: { zh: '{maker}拒绝: {msg}', en: '{maker} rejected the request: {msg}' },
  printer_maker_silent: {
    zh: '{maker}没有应答，打印机未保存，请稍后再试',
    en: '{maker} is not responding. The printer was not saved. Try again later.',
  },
  no_printer: { zh: '门店没有用于{what}的打印机', en: 'The store has no printer for {what}' },
  printers_at_account: {
    zh: '这个账号下还有 {count} 台打印机，请先删除打印机',
    en: 'This account still has {count} {count|printer|printers}. Delete {count|it|them} first.',
  },
  too_many_to_print: {
    zh: '一次最多打印 {max} 种商品',
    en: 'You can print up to {max} {max|product|products} at a time',
  },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
