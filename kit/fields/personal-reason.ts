/** Who reads later why somebody looked at personal data has to understand it: a sign again and again is no reason. */
export const PERSONAL_REASON_LENGTH = { min: 4, max: 200 }
const LETTERS_MIN = 3

/** Whether a text says why: so many signs, of which some are different letters. */
export function isMeaningfulReason(reason: string): boolean {
  const letters = new Set(reason.toLowerCase().match(/\p{L}/gu))
  return Array.from(reason).length >= PERSONAL_REASON_LENGTH.min && letters.size >= LETTERS_MIN
}
