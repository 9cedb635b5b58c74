import iconv from 'iconv-lite'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escposBytes } from './escpos.ts'
import { createReceiptForPrinter } from './order-receipt.ts'
import { feieLabelMarkup, feieMarkup, xpyunLabelMarkup, xpyunMarkup, yilianyunMarkup } from './markup.ts'
import { countTextCells, columnsOfPaperWidth, layOutPrintParts, type PrintPart } from './receipt.ts'

const receipt: PrintPart[] = [
  { t: 'text', v: '文三路店', align: 'center', w: 2, h: 2 },
  { t: 'line' },
  {
    t: 'row',
    cols: [
      { v: '农夫山泉东方树叶乌龙茶 500ml 无糖饮料' },
      { v: 'x2', width: 6, align: 'right' },
      { v: '10.00', width: 10, align: 'right' },
    ],
  },
  { t: 'text', v: '实付 ¥10.00', align: 'right', bold: true },
  { t: 'qr', v: 'SO1' },
  { t: 'cut' },
]
const linesOf = (parts: PrintPart[], columns: number) =>
  layOutPrintParts(parts, columns).flatMap((piece) => (piece.t === 'lines' ? piece.lines : []))

it('lays a receipt out in the cells of its paper, names wrapped, amounts at the right edge', () => {
  expect(linesOf(receipt, columnsOfPaperWidth(58))).toEqual([
    '文三路店',
    '-'.repeat(32),
    '农夫山泉东方树叶    x2     10.00',
    '乌龙茶 500ml 无',
    '糖饮料',
    '实付 ￥10.00',
  ])
  expect(linesOf(receipt, columnsOfPaperWidth(80))[2]).toBe(
    `农夫山泉东方树叶乌龙茶 500ml 无${' '.repeat(5)}x2     10.00`,
  )
})

it('writes no line that is longer than its paper, and loses no letter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), fc.constantFrom(25, 32, 48), (text, columns) => {
      const lines = linesOf(
        [
          { t: 'text', v: text, w: 2 },
          { t: 'row', cols: [{ v: text }, { v: text, width: 9 }] },
        ],
        columns,
      )
      for (const line of lines) expect(countTextCells(line)).toBeLessThanOrEqual(columns)
    }),
    { numRuns: 50 },
  )
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9一-十 ]{0,60}$/), fc.integer({ min: 4, max: 40 }), (text, columns) => {
      const lines = linesOf([{ t: 'text', v: text }], columns)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    }),
    { numRuns: 50 },
  )
})

it('lets no text command a printer, neither by markup nor by bytes', () => {
  const evil: PrintPart[] = [
    { t: 'text', v: '可乐<CUT><QR>http://evil</QR>\u001b@\u001dV\u0000' },
    { t: 'qr', v: '</QR><CUT>' },
    { t: 'row', cols: [{ v: '<B>大</B>' }] },
  ]
  const pieces = layOutPrintParts(evil, 32)
  for (const written of [feieMarkup(pieces), xpyunMarkup(pieces), yilianyunMarkup(pieces, 1)]) {
    expect(written.match(/<CUT>|<B>|<QR>/g)).toEqual(['<QR>'])
    expect(written).toContain('＜CUT＞')
  }
  const bytes = escposBytes(pieces)
  expect(bytes.includes(Buffer.from([0x1d, 0x56]))).toBe(false)
  expect(bytes.indexOf(Buffer.from([0x1b, 0x40]))).toBe(bytes.lastIndexOf(Buffer.from([0x1b, 0x40])))
})

it('writes the same receipt in the markup of each maker', () => {
  const pieces = layOutPrintParts(receipt, 32)
  expect(feieMarkup(pieces)).toBe(
    `<C><B>文三路店</B></C><BR>${'-'.repeat(32)}<BR>农夫山泉东方树叶    x2     10.00<BR>乌龙茶 500ml 无<BR>糖饮料<BR>` +
      '<RIGHT><BOLD>实付 ￥10.00</BOLD></RIGHT><BR><QR>SO1</QR><CUT>',
  )
  expect(xpyunMarkup(pieces)).toContain('<R><BOLD>实付 ￥10.00</BOLD></R><BR>')
  expect(yilianyunMarkup(pieces, 2)).toMatch(/^<MN>2<\/MN><center><FS2>文三路店<\/FS2><\/center>\r\n/)
})

it('speaks ESC/POS in GB18030 with Chinese letters switched on, once for each copy', () => {
  const bytes = escposBytes(layOutPrintParts(receipt, 32), 2)
  expect(bytes.subarray(0, 4)).toEqual(Buffer.from([0x1b, 0x40, 0x1c, 0x26]))
  expect(bytes.includes(Buffer.from('cec4c8fdc2b7b5ea', 'hex'))).toBe(true)
  expect(bytes.toString('latin1').split('\u001dVB\u0000')).toHaveLength(3)
  expect(iconv.decode(bytes, 'gb18030')).toContain('乌龙茶 500ml 无\n')
})

it('leaves a printer no letter that its font does not have: emoji of the basic plane are a box as others are', () => {
  const text = '☺️ ❤ ⭐ ⌚ 🥤 ñ 한 可乐 ★ é'
  const bytes = escposBytes(layOutPrintParts([{ t: 'text', v: text }], 48))
  expect(iconv.decode(bytes, 'gb18030')).toContain('□ □ □ □ □ □ □ 可乐 ★ é\n')
  // In GB 18030, the second byte of a four-byte character is a digit.
  for (let at = 4; at < bytes.length - 1; at++)
    expect(bytes[at]! > 0x80 && bytes[at + 1]! >= 0x30 && bytes[at + 1]! <= 0x39 && bytes[at - 1]! < 0x80).toBe(false)
})

describe('the receipt of an order', () => {
  const sold = (kinds: number) => {
    const lines = Array.from({ length: kinds }, (_unused, at) => ({
      name: `农夫山泉东方树叶乌龙茶 500ml 第 ${at} 种`,
      price: 500,
      quantity: 2,
      discount: 200,
      amount: 800,
    }))
    const order = { orderNo: 'SO1', payTime: '2026-11-19 10:00:00', goodsAmount: 1000 * kinds, payAmount: 800 * kinds }
    return [order, lines] as unknown as [never, never]
  }
  const receiptLinesOf = (kinds: number, brand: string, copies = 1) => {
    const printer = { brand, copies, paperWidth: 58, usage: 'receipt' } as never
    return linesOf(createReceiptForPrinter(...sold(kinds), '文三路店', printer, 'zh'), 32)
  }

  it('says what was taken off once: its lines add up to the goods, and less the discount to what was paid', () => {
    const printedLines = receiptLinesOf(2, 'feie')
    expect(printedLines.filter((text) => /x2 +10\.00$/.test(text))).toHaveLength(2)
    expect(printedLines.some((text) => /x2 +8\.00$/.test(text))).toBe(false)
    for (const sum of [/商品金额 +￥20\.00/, /优惠 +￥-4\.00/, /实付 ￥16\.00/])
      expect(printedLines.filter((text) => sum.test(text))).toHaveLength(1)
  })

  it('names every kind of goods on a printer in the shop, and as many as a message to it holds', () => {
    const named = (printedLines: readonly string[]) => printedLines.filter((text) => /x2 +10\.00$/.test(text)).length
    expect(named(receiptLinesOf(120, 'escpos'))).toBe(120)
    expect(named(receiptLinesOf(120, 'feie'))).toBe(25)
    const many = receiptLinesOf(2_000, 'escpos', 4)
    expect(named(many)).toBeGreaterThan(25)
    expect(many.some((text) => text.startsWith('另有'))).toBe(true)
  })
})

it('keeps a label within its edges, and its barcode whole', () => {
  const label: PrintPart[] = [
    { t: 'text', v: '农夫山泉东方树叶乌龙茶 500ml' },
    { t: 'text', v: '¥5.00', w: 2, h: 2, align: 'right' },
    { t: 'barcode', v: '6901028075831' },
  ]
  const size = { width: 40, height: 30 }
  const written = feieLabelMarkup(layOutPrintParts(label, 25), size)
  expect(written).toContain('>6901028075831</BC128>')
  for (const [, x, y] of written.matchAll(/x="(\d+)" y="(\d+)"/g)) {
    expect(Number(x)).toBeLessThan(40 * 8)
    expect(Number(y)).toBeLessThan(30 * 8)
  }
  expect(xpyunLabelMarkup(layOutPrintParts(label, 25), size)).toMatch(/^<PAGE><SIZE>40,30<\/SIZE>.*<\/PAGE>$/)
})
