/** Checks of ID, company and bank card numbers by their check digit; used in the browser and on the server. */

const ID_WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const ID_ENDS = '10X98765432'

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

const dayText = (year: string, month: string, day: string) => `${year}-${month}-${day}`
const isDay = (text: string) => {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

/** Returns the birthday in an 18-character identity number (GB 11643); undefined if the number is invalid. */
export function birthdayOfIdNumber(number: string): string | undefined {
  const parts = /^[1-8]\d{5}((?:19|20)\d\d)(\d\d)(\d\d)\d{3}[\dX]$/.exec(number)
  if (!parts) return undefined
  const [, year, month, day] = parts as unknown as [string, string, string, string]
  const birthday = dayText(year, month, day)
  const end = ID_ENDS[sum(ID_WEIGHTS.map((weight, at) => weight * Number(number[at]))) % 11]
  return isDay(birthday) && end === number[17] ? birthday : undefined
}

const CREDIT_LETTERS = '0123456789ABCDEFGHJKLMNPQRTUWXY'
const CREDIT_WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28]

/** Whether a code is a unified social credit code of 18 characters (GB 32100) with a valid check character. */
export function isSocialCreditCode(code: string): boolean {
  const values = [...code].map((letter) => CREDIT_LETTERS.indexOf(letter))
  if (values.length !== 18 || values.includes(-1)) return false
  const rest = sum(CREDIT_WEIGHTS.map((weight, at) => weight * values[at]!)) % 31
  return values[17] === (31 - rest) % 31
}

/** Whether a code is a 15-digit company registration number (GS 15) with a valid check digit. */
export function isRegistrationNumber(code: string): boolean {
  if (!/^\d{15}$/.test(code)) return false
  let rest = 10
  for (const digit of code.slice(0, 14)) {
    const added = (rest + Number(digit)) % 10 || 10
    rest = (added * 2) % 11
  }
  return (rest + Number(code[14])) % 10 === 1
}

/** Whether a number is a bank card number with a valid check digit (ISO/IEC 7812). */
export function isCardNumber(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false
  const digits = [...number].toReversed().map(Number)
  return sum(digits.map((digit, at) => (at % 2 ? (digit * 2 > 9 ? digit * 2 - 9 : digit * 2) : digit))) % 10 === 0
}
