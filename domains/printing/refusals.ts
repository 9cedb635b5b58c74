import { defineRefusals, type CodesOf } from '#kit/server/refused.ts'

const refusals = defineRefusals({
  print_account_missing: {
    zh: '请先在“打印平台账号”中添加并启用{maker}账号',
    en: 'First add an account at {maker} on the page Printing accounts',
  },
  printer_refused: { zh: '{maker}拒绝: {msg}', en: '{maker} refused: {msg}' },
  printer_maker_silent: {
    zh: '{maker}没有应答，打印机未保存，请稍后再试',
    en: '{maker} did not answer; the printer was not saved, try again later',
  },
  no_printer: { zh: '门店没有用于{what}的打印机', en: 'The shop has no printer for {what}' },
  printers_at_account: {
    zh: '该账号下还有 {count} 台打印机，请先删除打印机',
    en: '{count} {count|printer is|printers are} registered with this account; remove {count|it|them} first',
  },
  too_many_to_print: { zh: '一次最多打印 {max} 种商品', en: 'At most {max} goods are printed at once' },
})

declare module '#kit/server/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
