import type { FieldRuleViolation } from '#kit/fields/field-kind.ts'

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
  characters: { zh: '{label}只能含字母、数字和短横线', en: '{label} can contain only letters, digits and dashes' },
  digits: { zh: '{label}应为8、12或13位数字', en: '{label} must have 8, 12 or 13 digits' },
  length: {
    zh: '{label}有{count}位数字，印刷的条码为8、12或13位，自编码最多7位数字',
    en: '{label} has {count} {count|digit|digits}. Printed barcodes have 8, 12 or 13 digits, your own codes up to 7.',
  },
  upcE: {
    zh: '{label}是UPC-E短码，请填它代表的UPC-A号码{upcA}',
    en: '{label} is a UPC-E short code. Enter the UPC-A number it stands for: {upcA}',
  },
  last: {
    zh: '{label}的校验位不对，末位应为{digit}，请核对有没有输错',
    en: 'The check digit of {label} is wrong. The last digit should be {digit}. Check it for typing errors.',
  },
}

const isDigits = (text: string) => /^\d+$/.test(text)

/**
 * The UPC-A number an UPC-E number is short for; undefined for what is none. Eight digits that are an EAN-8 number with
 * its right check digit are that: only who reads the bars knows that they are UPC-E, and says so (`isUpcE`).
 */
function upcAOf(text: string, isUpcE = false): string | undefined {
  if (!/^0\d{7}$/.test(text) || (!isUpcE && checkDigit(text.slice(0, -1)) === Number(text.at(-1)))) return undefined
  const [head, five, sixth] = [text.slice(0, 3), text.slice(1, 6), text[6]!]
  const body =
    sixth <= '2'
      ? `${head}${sixth}0000${text.slice(3, 6)}`
      : sixth === '3'
        ? `${text.slice(0, 4)}00000${text.slice(4, 6)}`
        : sixth === '4'
          ? `${text.slice(0, 5)}00000${text[5]}`
          : `0${five}0000${sixth}`
  return checkDigit(body) === Number(text.at(-1)) ? `${body}${text.at(-1)}` : undefined
}

/**
 * What barcodes are compared by, wherever they are: UPC-A with its 12 digits, the same label read as an EAN-13 number
 * that begins with a nought, and the UPC-E that is short for it are one. A row keeps its number as it was entered
 * (decision 0089).
 */
export const normalizeBarcode = (text: string): string =>
  /^0\d{12}$/.test(text) ? text.slice(1) : (upcAOf(text) ?? text)

export const isSameBarcode = (one: string, other: string): boolean => normalizeBarcode(one) === normalizeBarcode(other)

/**
 * The numbers rows may have for the label of a text, itself first. Eight digits may be read from UPC-E bars though they
 * look like an EAN-8 number, as half of them do: what has the number itself is meant before what it may be short for.
 */
export function listBarcodeForms(text: string): string[] {
  const label = upcAOf(text, true) ?? normalizeBarcode(text)
  return /^\d{12}$/.test(label) ? [...new Set([text, label, `0${label}`])] : [text]
}

/** What there is of each barcode, found by any form of its label; where two forms stand, each is found by its own. */
export class BarcodeMap<V> {
  readonly #exact = new Map<string, V>()
  readonly #labels = new Map<string, V>()

  constructor(entries: Iterable<readonly [string, V]> = []) {
    for (const [upc, value] of entries) this.set(upc, value)
  }

  set(upc: string, value: V): void {
    this.#exact.set(upc, value)
    const label = normalizeBarcode(upc)
    if (upc === label || !this.#labels.has(label)) this.#labels.set(label, value)
  }

  get(upc: string): V | undefined {
    return this.#exact.get(upc) ?? this.#labels.get(normalizeBarcode(upc)) ?? this.#labels.get(upcAOf(upc, true) ?? upc)
  }

  has(upc: string): boolean {
    return this.get(upc) !== undefined
  }

  values(): IterableIterator<V> {
    return this.#exact.values()
  }
}

/** Names the short form of a UPC-A number, which no row has: its label is found by the long one. */
export function findUpcEFault(text: string): FieldRuleViolation | undefined {
  const upcA = upcAOf(text)
  return upcA ? { words: words.upcE, params: { upcA } } : undefined
}

/** What is wrong with a printed barcode, an EAN-8, EAN-13 or UPC-A number: its digits, or the last of them. */
export function findPrintedBarcodeFault(text: string): FieldRuleViolation | undefined {
  const short = findUpcEFault(text)
  if (short) return short
  if (!isDigits(text) || !LENGTHS.has(text.length)) return { words: words.digits }
  const digit = checkDigit(text.slice(0, -1))
  return digit === Number(text.at(-1)) ? undefined : { words: words.last, params: { digit } }
}

/** Whether it is a printed barcode whose check digit is right. */
export const isBarcode = (text: string): boolean => !findPrintedBarcodeFault(text)

/**
 * What is wrong with the barcode of goods: the printed one, or the shop's own code for what has none, fresh food or
 * coffee from the machine (decision 0070).
 */
export function findBarcodeFault(text: string): FieldRuleViolation | undefined {
  if (!/^[A-Za-z0-9-]+$/.test(text)) return { words: words.characters }
  if (!isDigits(text) || text.length <= OWN_DIGITS_MAX) return undefined
  return LENGTHS.has(text.length)
    ? findPrintedBarcodeFault(text)
    : { words: words.length, params: { count: text.length } }
}

/**
 * What is read before a camera: numbers of goods, a shop's own labels, boxes, posters. As browsers name them, and as
 * the library does that reads where the browser cannot.
 */
export const barcodeFormats = {
  ean_13: 'EAN13',
  ean_8: 'EAN8',
  upc_a: 'UPCA',
  upc_e: 'UPCE',
  code_128: 'Code128',
  code_39: 'Code39',
  itf: 'ITF',
  qr_code: 'QRCode',
} as const

/**
 * A number as it is printed and kept: what readers call an EAN-13 that begins with a nought is a UPC-A number. The
 * short number of UPC-E bars is handed on as the UPC-A number it means.
 */
export function toPrintedBarcode(text: string, kind: string | undefined): string {
  if (kind === 'ean_13' && text.startsWith('0')) return text.slice(1)
  return kind === 'upc_e' ? (upcAOf(text, true) ?? normalizeBarcode(text)) : text
}
