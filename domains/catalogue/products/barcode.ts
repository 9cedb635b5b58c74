import type { FieldRuleViolation } from '#kit/fields/base/options.ts'

/** Valid lengths of printed barcodes: EAN-8, UPC-A, EAN-13. */
const LENGTHS = new Set([8, 12, 13])

/** Returns the check digit for the digits before it. */
export function checkDigit(digits: string): number {
  let sum = 0
  for (let at = 0; at < digits.length; at++) sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 3 : 1)
  return (10 - (sum % 10)) % 10
}

/**
 * Maximum length of a shop's own numeric codes: shorter than printed barcodes, so a barcode with a digit missing is not
 * mistaken for one.
 */
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
 * Returns the UPC-A number a UPC-E number stands for, undefined if the text is not UPC-E. Eight digits with a valid
 * EAN-8 check digit count as EAN-8, unless `isUpcE`: the reader saw UPC-E bars.
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
 * Returns the form in which barcodes are compared: a 12-digit UPC-A number, the same number read as EAN-13 with a
 * leading zero, and its UPC-E short form are equal. Rows keep the number as entered (decision 0089).
 */
export const normalizeBarcode = (text: string): string =>
  /^0\d{12}$/.test(text) ? text.slice(1) : (upcAOf(text) ?? text)

export const isSameBarcode = (one: string, other: string): boolean => normalizeBarcode(one) === normalizeBarcode(other)

/**
 * Returns the numbers rows may have for the same label, the text itself first. Eight digits may come from UPC-E bars
 * even if they are a valid EAN-8 number; then an exact match takes precedence over the UPC-A number.
 */
export function listBarcodeForms(text: string): string[] {
  const label = upcAOf(text, true) ?? normalizeBarcode(text)
  return /^\d{12}$/.test(label) ? [...new Set([text, label, `0${label}`])] : [text]
}

/**
 * Map with barcodes as keys: finds an entry by any form of its label. If two forms of a label are keys, each finds its
 * own entry.
 */
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

/** Returns a violation if a text is a UPC-E number, with its UPC-A number: rows store only the long form. */
export function findUpcEFault(text: string): FieldRuleViolation | undefined {
  const upcA = upcAOf(text)
  return upcA ? { words: words.upcE, params: { upcA } } : undefined
}

/** Returns the violation of a printed barcode (EAN-8, EAN-13 or UPC-A): wrong digits or a wrong check digit. */
export function findPrintedBarcodeFault(text: string): FieldRuleViolation | undefined {
  const short = findUpcEFault(text)
  if (short) return short
  if (!isDigits(text) || !LENGTHS.has(text.length)) return { words: words.digits }
  const digit = checkDigit(text.slice(0, -1))
  return digit === Number(text.at(-1)) ? undefined : { words: words.last, params: { digit } }
}

/** Whether a text is a printed barcode with a valid check digit. */
export const isBarcode = (text: string): boolean => !findPrintedBarcodeFault(text)

/**
 * Returns the violation of a product barcode: a printed one, or the shop's own code for goods without one, such as
 * fresh food or machine coffee (decision 0070).
 */
export function findBarcodeFault(text: string): FieldRuleViolation | undefined {
  if (!/^[A-Za-z0-9-]+$/.test(text)) return { words: words.characters }
  if (!isDigits(text) || text.length <= OWN_DIGITS_MAX) return undefined
  return LENGTHS.has(text.length)
    ? findPrintedBarcodeFault(text)
    : { words: words.length, params: { count: text.length } }
}

/**
 * Formats the camera reads: product barcodes, the shop's own labels, boxes, posters. Keys are the browser's names,
 * values those of the reader library.
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
 * Returns a scanned number as printed: an EAN-13 with a leading zero becomes its UPC-A number, a UPC-E number the UPC-A
 * number it stands for.
 */
export function toPrintedBarcode(text: string, kind: string | undefined): string {
  if (kind === 'ean_13' && text.startsWith('0')) return text.slice(1)
  return kind === 'upc_e' ? (upcAOf(text, true) ?? normalizeBarcode(text)) : text
}
