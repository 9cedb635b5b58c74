/** Lengths of the barcodes of the trade: EAN-8, UPC-A, EAN-13. */
const LENGTHS = new Set([8, 12, 13])

/** The last digit a barcode must end in, from the digits before it. */
export function checkDigit(digits: string): number {
  let sum = 0
  for (let at = 0; at < digits.length; at++) sum += Number(digits[digits.length - 1 - at]) * (at % 2 === 0 ? 3 : 1)
  return (10 - (sum % 10)) % 10
}

/** True for an EAN-8, EAN-13 or UPC-A number whose check digit is right. */
export const isBarcode = (text: string): boolean =>
  /^\d+$/.test(text) && LENGTHS.has(text.length) && checkDigit(text.slice(0, -1)) === Number(text.at(-1))

/** A shop's own short code for goods without a barcode: fresh food, coffee from the machine. */
export const isOwnCode = (text: string): boolean => /^[A-Za-z0-9]{2,7}$/.test(text)

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
