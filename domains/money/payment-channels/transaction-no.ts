import { f } from '#kit/resource/index.ts'

/**
 * Field for the platform's number of a payment, entered by people or registers. Normalized as an identifier, so that
 * full-width digits make no second number. Accepts any text, since for cash it is a note.
 */
export const transactionNoField = () =>
  f.text({ label: { zh: '支付流水号', en: 'Transaction ID' }, max: 64, rule: () => undefined })
