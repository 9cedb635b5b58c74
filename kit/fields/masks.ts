import type { Field } from './field-kind.ts'

const SHOWN_BEFORE = 3
const SHOWN_AFTER = 4
const LONG_FROM = 11
const TOWN = 6

/**
 * What is left to see of a value that not everybody may read. A field says which: `mask: 'phone'`; lists, details,
 * pickers, sheets, histories and logs all show it so, and nobody can ask for a part that it hides.
 */
export const masks = {
  /** 138****5678; of a short number the last four. */
  phone: (text: string): string => {
    if (text.length < SHOWN_AFTER + SHOWN_BEFORE) return text && '****'
    return `${text.length < LONG_FROM ? '' : text.slice(0, SHOWN_BEFORE)}****${text.slice(-SHOWN_AFTER)}`
  },
  /** 张**: the family name, and nothing of how long the rest is. */
  name: (text: string): string => text && `${Array.from(text)[0]}**`,
  /** 浙江省杭州市****: the town, and not the door. */
  address: (text: string): string =>
    text &&
    `${Array.from(text)
      .slice(0, Math.min(TOWN, Math.floor(Array.from(text).length / 2)))
      .join('')}****`,
  /** A picture somebody can be told by is not shown at all. */
  face: (_text: string): string => '',
} as const

export type Mask = keyof typeof masks

/** So many signs of its end a mask leaves open, of values at least so long: what everybody reads, one may look for. */
export const shownEnds: { readonly [mask in Mask]?: { readonly length: number; readonly from: number } } = {
  phone: { length: SHOWN_AFTER, from: SHOWN_BEFORE + SHOWN_AFTER },
}

/** A wire value as it is shown to who may not read it whole. */
export const maskedBy = (field: Pick<Field, 'mask'>, wire: unknown): unknown =>
  field.mask && typeof wire === 'string' ? masks[field.mask](wire) : wire

/** Personal data that nobody reads whole but who opens it, each time with a reason. */
export const isPersonal = ({ mask, wholeFor }: Pick<Field, 'mask' | 'wholeFor'>): boolean => !!mask && !wholeFor

const declared = new Map<string, Mask>()
/** Names of fields that elsewhere name things: goods have them too. */
const ANYBODYS = new Set(['name', 'address', 'avatar', 'snapshot'])

/** Notes that a field of this name is masked wherever it is met by name alone, as in logs. */
export function noteMask(name: string, mask: Mask): void {
  if (!ANYBODYS.has(name.toLowerCase())) declared.set(name.toLowerCase(), mask)
}

export const maskOfName = (name: string): Mask | undefined => declared.get(name.toLowerCase())
