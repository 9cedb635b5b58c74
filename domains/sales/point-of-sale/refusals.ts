import { defineRefusals, type CodesOf } from '#kit/server/base/refused.ts'

const refusals = defineRefusals({
  sale_differs: {
    status: 409,
    zh: '流水号 {saleNo} 已用于另一笔内容不同的销售',
    en: 'Sale number {saleNo} was already used for a different sale',
  },
  sale_too_old: {
    zh: '销售时间早于 {days} 天前，请联系后台补录',
    en: 'The sale is older than {days} {days|day|days}. Ask the back office to record it.',
  },
  sale_line_bad: { zh: '第 {line} 行: {detail}', en: 'Row {line}: {detail}' },
  sale_no_lines: { zh: '销售没有商品', en: 'The sale has no products' },
  sales_too_many: { zh: '一次最多补传 {max} 笔销售', en: 'You can upload up to {max} {max|sale|sales} at a time' },
  screen_address_over: {
    status: 404,
    zh: '截屏上传地址已失效',
    en: 'The screenshot upload link has expired',
  },
  cursor_bad: { zh: '同步位置无效，请从头同步', en: 'The sync cursor is not valid. Start over without one.' },
})

declare module '#kit/server/base/refused.ts' {
  interface Refusals extends CodesOf<typeof refusals> {}
}
