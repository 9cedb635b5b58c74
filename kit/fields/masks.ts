import { normalizeFieldName } from './secret-names.ts'
import type { Field } from './field-kind.ts'

const SHOWN_BEFORE = 3
const SHOWN_AFTER = 4
const LONG_FROM = 11
const TOWN = 6

/**
 * What is left to see of a value that not everybody may read. A field says which: `mask: 'phone'`; lists, details,
 * pickers, sheets, histories and logs all show it so, and nobody can ask for a part that it hides.
 */
export const maskFunctions = {
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

export type MaskName = keyof typeof maskFunctions

/** So many signs of its end a mask leaves open, of values at least so long: what everybody reads, one may look for. */
export const VISIBLE_MASK_ENDS: { readonly [mask in MaskName]?: { readonly length: number; readonly from: number } } = {
  phone: { length: SHOWN_AFTER, from: SHOWN_BEFORE + SHOWN_AFTER },
}

/** A wire value as it is shown to who may not read it whole. */
export const maskFieldValue = (field: Pick<Field, 'mask'>, wire: unknown): unknown =>
  field.mask && typeof wire === 'string' ? maskFunctions[field.mask](wire) : wire

/** Personal data that nobody reads whole but who opens it, each time with a reason. */
export const isPersonalField = ({
  mask,
  unmaskedFor,
  personal,
}: Pick<Field, 'mask' | 'unmaskedFor' | 'personal'>): boolean => (!!mask && !unmaskedFor) || personal === true

/** The field as it reads where somebody has opened it. */
export const withoutMask = <F extends Field>(field: F): F => ({ ...field, mask: undefined, personal: undefined })

const declared = new Map<string, MaskName>()
/** Names of fields that elsewhere name things: goods have them too. */
const ANYBODYS = new Set(['name', 'address', 'avatar', 'snapshot'])

/** Notes that a field of this name is masked wherever it is met by name alone, as in logs. */
export function registerMaskedFieldName(name: string, mask: MaskName): void {
  if (!ANYBODYS.has(name.toLowerCase())) declared.set(normalizeFieldName(name), mask)
}

const phoneNames = /phone|mobile|^tel$/
/** What somebody is called and where they live, where it stands beside their phone. */
const besidePhone = new Map<string, MaskName>([
  ['name', 'name'],
  ['contact', 'name'],
  ['contactname', 'name'],
  ['linkman', 'name'],
  ['address', 'address'],
  ['addressdetail', 'address'],
  ['detailaddress', 'address'],
])

/**
 * What of an object with these entries is personal by the names in it: those fields declare, phones, and what stands
 * beside a phone. The phone is looked for once, and only where a name asks for it.
 */
export function createMaskLookup(
  entries: readonly (readonly [string, unknown])[],
): (name: string) => MaskName | undefined {
  let hasPhone: boolean | undefined
  const isSomebody = () =>
    (hasPhone ??= entries.some(([name, value]) => value && phoneNames.test(normalizeFieldName(name))))
  return (name) => {
    const plain = normalizeFieldName(name)
    const alone = declared.get(plain) ?? (phoneNames.test(plain) ? 'phone' : undefined)
    if (alone) return alone
    const mask = besidePhone.get(plain)
    return mask && isSomebody() ? mask : undefined
  }
}

/** A mobile number that stands in a text, and in no longer number. */
const mobile = /(?<!\d)1[3-9]\d{9}(?!\d)/g

export const maskMobileNumbers = (text: string): string => text.replace(mobile, maskFunctions.phone)

const DEPTH_MAX = 30

/** Structured data with what is personal in it masked. */
export function maskPersonalData(value: unknown, depth = 0): unknown {
  if (depth > DEPTH_MAX) return null
  if (typeof value === 'string') return maskMobileNumbers(value)
  if (typeof value === 'number')
    return Number.isSafeInteger(value) && `${value}` !== maskMobileNumbers(`${value}`)
      ? maskMobileNumbers(`${value}`)
      : value
  if (Array.isArray(value)) return value.map((one) => maskPersonalData(one, depth + 1))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const maskOf = createMaskLookup(entries)
  return Object.fromEntries(
    entries.map(([name, item]) => {
      const mask = maskOf(name)
      const isText = typeof item === 'string' || typeof item === 'number'
      return [name, mask && isText ? maskFunctions[mask](String(item)) : maskPersonalData(item, depth + 1)]
    }),
  )
}
