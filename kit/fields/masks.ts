import type { Field } from './field-kind.ts'

const SHOWN_BEFORE = 3
const SHOWN_AFTER = 4
const LONG_FROM = 11

/**
 * What is left to see of a value that not everybody may read. A field says which: `mask: 'phone'`; lists, details,
 * pickers, sheets, histories and logs all show it so, and nobody can ask for a part of it.
 */
export const masks = {
  /** 138****5678; of a short number the last four. */
  phone: (text: string): string => {
    if (text.length < SHOWN_AFTER + SHOWN_BEFORE) return text && '****'
    return `${text.length < LONG_FROM ? '' : text.slice(0, SHOWN_BEFORE)}****${text.slice(-SHOWN_AFTER)}`
  },
} as const

export type Mask = keyof typeof masks

/** A wire value as it is shown to who may not read it whole. */
export const maskedBy = (field: Pick<Field, 'mask'>, wire: unknown): unknown =>
  field.mask && typeof wire === 'string' ? masks[field.mask](wire) : wire

const declared = new Map<string, Mask>()

/** Notes that a field of this name is masked wherever it is met by name alone, as in logs. */
export function noteMask(name: string, mask: Mask): void {
  declared.set(name.toLowerCase(), mask)
}

export const maskOfName = (name: string): Mask | undefined => declared.get(name.toLowerCase())
