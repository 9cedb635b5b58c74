/** Length, in characters, of a reason for revealing personal data. Auditors have to understand the reason later. */
export const PERSONAL_REASON_LENGTH = { min: 4, max: 200 }
const LETTERS_MIN = 3

/**
 * Returns whether a text can be a reason: it is long enough and has enough different letters, so not one letter
 * repeated.
 */
export function isMeaningfulReason(reason: string): boolean {
  const letters = new Set(reason.toLowerCase().match(/\p{L}/gu))
  return Array.from(reason).length >= PERSONAL_REASON_LENGTH.min && letters.size >= LETTERS_MIN
}
