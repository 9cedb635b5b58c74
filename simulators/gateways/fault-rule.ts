import type { LocalizedText } from '#kit/resource/index.ts'

/** How a fault is set: on or off, by a number, or by one of some words. */
export type FaultRule<Of extends string = string> = (
  | { form: 'yes' }
  | { form: 'number'; max: number; usual: number; unit?: LocalizedText }
  | { form: 'word'; words: readonly { key: string; label: LocalizedText }[] }
) & {
  label: LocalizedText
  /** Happens once, so there is nothing to clear. */
  once?: true
  /** What can have the fault; by default all devices. */
  of?: readonly Of[]
}

export const yes = (zh: string, en: string) => ({ form: 'yes', label: { zh, en } }) satisfies FaultRule
export const number = (label: LocalizedText, max: number, usual: number, unit?: LocalizedText) =>
  ({ form: 'number', max, usual, ...(unit && { unit }), label }) satisfies FaultRule
export const word = (key: string, zh: string, en: string) => ({ key, label: { zh, en } })
export const MS = { zh: '毫秒', en: 'ms' }
