/** Full-width digits of a Chinese keyboard as plain ones. */
export const plainDigits = (typed: string): string =>
  typed.replace(/[０-９]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
