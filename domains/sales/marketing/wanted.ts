import { Refused } from '#kit/server/base/refused.ts'
import type { QuoteLineRequest } from './offers.ts'

export const QUOTE_LINES_MAX = 200
const PIECES_OF_LINE_MAX = 1000

/** Parses the lines of a price request: barcodes and quantities. Refuses invalid ones. */
export function parseQuoteLines(given: unknown): QuoteLineRequest[] {
  if (!Array.isArray(given) || !given.length) throw new Refused('quote_no_lines')
  if (given.length > QUOTE_LINES_MAX) throw new Refused('bad_parameter', { name: 'lines' })
  return given.map((one: unknown, at) => {
    const { upc, quantity } = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>
    const bad = (zh: string, en: string) => new Refused('quote_line_bad', { line: at + 1, detail: { zh, en } })
    const code = typeof upc === 'string' || typeof upc === 'number' ? String(upc).trim() : ''
    if (!code || code.length > 64 || code.includes('\u0000') || !code.isWellFormed())
      throw bad('条码不正确', 'the barcode is not valid')
    const count = typeof quantity === 'string' ? Number(quantity) : quantity
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 1 || count > PIECES_OF_LINE_MAX)
      throw bad(
        `数量应为 1 至 ${PIECES_OF_LINE_MAX} 的整数`,
        `the quantity is a whole number from 1 to ${PIECES_OF_LINE_MAX}`,
      )
    return { upc: code, quantity: count }
  })
}
