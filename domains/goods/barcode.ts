import type { Fault } from '#kit/fields/field-kind.ts'

/** Lengths of the barcodes of the trade: EAN-8, UPC-A, EAN-13. */
const LENGTHS = new Set([8, 12, 13])

/** The last digit a barcode must end in, from the digits before it. */
export function checkDigit(digits: string): number {
  let sum = 0
  for (let at = 0; at < digits.length; at++) sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 3 : 1)
  return (10 - (sum % 10)) % 10
}

/** Digits of a shop's own are fewer than any printed barcode has: a barcode that lost a digit is not taken for one. */
const OWN_DIGITS_MAX = 7

const words = {
  characters: { zh: '{label}只能含字母、数字和短横线', en: '{label} holds letters, digits and dashes only' },
  digits: { zh: '{label}应为8、12或13位数字', en: '{label} must have 8, 12 or 13 digits' },
  length: {
    zh: '{label}有{count}位数字，印刷的条码为8、12或13位，自编码最多7位数字',
    en: '{label} has {count} {count|digit|digits}; printed ones have 8, 12 or 13, and codes of your own up to 7',
  },
  last: {
    zh: '{label}的校验位不对，末位应为{digit}，请核对有没有输错',
    en: '{label}: its last digit should be {digit} by those before it; look for one typed wrong',
  },
}

const isDigits = (text: string) => /^\d+$/.test(text)

/** What is wrong with a printed barcode, an EAN-8, EAN-13 or UPC-A number: its digits, or the last of them. */
export function printedFault(text: string): Fault | undefined {
  if (!isDigits(text) || !LENGTHS.has(text.length)) return { words: words.digits }
  const digit = checkDigit(text.slice(0, -1))
  return digit === Number(text.at(-1)) ? undefined : { words: words.last, params: { digit } }
}

/** Whether it is a printed barcode whose check digit is right. */
export const isBarcode = (text: string): boolean => !printedFault(text)

/**
 * What is wrong with the barcode of goods: the printed one, or the shop's own code for what has none, fresh food or
 * coffee from the machine (decision 0070).
 */
export function barcodeFault(text: string): Fault | undefined {
  if (!/^[A-Za-z0-9-]+$/.test(text)) return { words: words.characters }
  if (!isDigits(text) || text.length <= OWN_DIGITS_MAX) return undefined
  return LENGTHS.has(text.length) ? printedFault(text) : { words: words.length, params: { count: text.length } }
}

/**
 * What is read before a camera: numbers of goods, a shop's own labels, boxes, posters. As browsers name them, and as
 * the library does that reads where the browser cannot.
 */
export const labelKinds = {
  ean_13: 'EAN13',
  ean_8: 'EAN8',
  upc_a: 'UPCA',
  code_128: 'Code128',
  code_39: 'Code39',
  itf: 'ITF',
  qr_code: 'QRCode',
} as const

/** A number as it is printed and kept: what readers call an EAN-13 that begins with a nought is a UPC-A number. */
export const printedNumber = (text: string, isEan13: boolean): string =>
  isEan13 && text.startsWith('0') ? text.slice(1) : text
