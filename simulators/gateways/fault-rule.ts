import type { LocalizedText } from '#kit/resource/index.ts'

/** How a fault is written and read: on or off, so much of it, or in which way. */
export type FaultRule<Of extends string = string> = (
  | { form: 'yes' }
  | { form: 'number'; max: number; usual: number; unit?: LocalizedText }
  | { form: 'word'; words: readonly { key: string; label: LocalizedText }[] }
) & {
  label: LocalizedText
  /** Over with what it did: there is nothing to take away again. */
  once?: true
  /** What can have it; unless said, whatever speaks the protocol of devices. */
  of?: readonly Of[]
}

export const yes = (zh: string, en: string) => ({ form: 'yes', label: { zh, en } }) satisfies FaultRule
export const number = (label: LocalizedText, max: number, usual: number, unit?: LocalizedText) =>
  ({ form: 'number', max, usual, ...(unit && { unit }), label }) satisfies FaultRule
export const word = (key: string, zh: string, en: string) => ({ key, label: { zh, en } })
export const MS = { zh: '毫秒', en: 'ms' }
