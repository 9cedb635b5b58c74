import { f } from '#kit/resource/index.ts'

/**
 * The number of a payment at its platform as people and registers tell it: read as an identifier, so that full-width
 * digits of a Chinese keyboard are no second number. Nothing is refused: beside cash it is a note.
 */
export const transactionNoField = () =>
  f.text({ label: { zh: '支付流水号', en: 'Transaction ID' }, max: 64, rule: () => undefined })
