import { defineDict } from '#kit/resource/index.ts'

export const PRINTER_VENDORS = [
  { key: 'feie', zh: '飞鹅', en: 'Feie' },
  { key: 'yilianyun', zh: '易联云', en: 'Yilianyun' },
  { key: 'xpyun', zh: '芯烨云', en: 'Xpyun' },
] as const

/** State of a printer, as its vendor or gateway reports it. */
export const PRINTER_STATE = { offline: 0, ready: 1, trouble: 2, noPaper: 3 } as const
export type PrinterState = (typeof PRINTER_STATE)[keyof typeof PRINTER_STATE]

export type PrintJobState = 'queued' | 'sending' | 'sent' | 'printed' | 'failed' | 'unconfirmed' | 'expired'

export const printingDictionaries = [
  defineDict({
    code: 'printer_brand',
    label: { zh: '打印机品牌', en: 'Printer brand' },
    // Local printers need no account at a vendor.
    entries: [{ key: 'escpos', zh: '本地 ESC/POS', en: 'Local ESC/POS' }, ...PRINTER_VENDORS],
  }),
  defineDict({ code: 'print_maker', label: { zh: '打印平台', en: 'Printer vendor' }, entries: PRINTER_VENDORS }),
  defineDict({
    code: 'paper_width',
    label: { zh: '纸宽', en: 'Paper width' },
    entries: [
      { key: '58', zh: '58 毫米', en: '58 mm' },
      { key: '80', zh: '80 毫米', en: '80 mm' },
    ],
  }),
  defineDict({
    code: 'label_size',
    label: { zh: '标签尺寸', en: 'Label size' },
    entries: [
      { key: '40x30', zh: '40×30 毫米', en: '40×30 mm' },
      { key: '50x30', zh: '50×30 毫米', en: '50×30 mm' },
      { key: '60x40', zh: '60×40 毫米', en: '60×40 mm' },
    ],
  }),
  defineDict({
    code: 'printer_usage',
    label: { zh: '打印用途', en: 'Printer purpose' },
    entries: [
      { key: 'receipt', zh: '小票', en: 'Receipts' },
      { key: 'label', zh: '标签', en: 'Labels' },
      { key: 'kitchen', zh: '后厨', en: 'Kitchen' },
    ],
  }),
  defineDict({
    code: 'printer_status',
    label: { zh: '打印机状态', en: 'Printer status' },
    entries: [
      { key: '0', zh: '离线', en: 'Offline', colour: 'default' },
      { key: '1', zh: '正常', en: 'Ready', colour: 'success' },
      { key: '2', zh: '异常', en: 'Error', colour: 'error' },
      { key: '3', zh: '缺纸', en: 'Out of paper', colour: 'warning' },
    ],
  }),
  defineDict({
    code: 'print_kind',
    label: { zh: '打印内容', en: 'Print content' },
    entries: [
      { key: 'receipt', zh: '小票', en: 'Receipt' },
      { key: 'label', zh: '商品标签', en: 'Label' },
      { key: 'shelfCard', zh: '货架卡', en: 'Shelf card' },
      { key: 'test', zh: '测试页', en: 'Test page' },
    ],
  }),
  defineDict({
    code: 'good_print_kind',
    label: { zh: '商品打印内容', en: 'Product print content' },
    entries: [
      { key: 'label', zh: '商品标签', en: 'Label' },
      { key: 'shelfCard', zh: '货架卡', en: 'Shelf card' },
    ],
  }),
  defineDict({
    code: 'print_state',
    label: { zh: '打印状态', en: 'Print status' },
    entries: [
      { key: 'queued', zh: '待发送', en: 'Queued', colour: 'default' },
      { key: 'sending', zh: '发送中', en: 'Sending', colour: 'processing' },
      { key: 'sent', zh: '已发送', en: 'Sent', colour: 'processing' },
      { key: 'printed', zh: '已打印', en: 'Printed', colour: 'success' },
      { key: 'failed', zh: '失败', en: 'Failed', colour: 'error' },
      { key: 'unconfirmed', zh: '未确认', en: 'Unconfirmed', colour: 'warning' },
      { key: 'expired', zh: '已过期', en: 'Expired', colour: 'warning' },
    ],
  }),
]
