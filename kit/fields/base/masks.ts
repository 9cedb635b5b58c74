import { normalizeFieldName } from './secret-names.ts'
import type { Field } from './field-kind.ts'
import { maskFunctions, type MaskName } from './mask-functions.ts'

/** Returns a wire value masked as its field declares; unchanged without a mask or if it is no text. */
export const maskFieldValue = (field: Pick<Field, 'mask'>, wire: unknown): unknown =>
  field.mask && typeof wire === 'string' ? maskFunctions[field.mask](wire) : wire

/**
 * Returns whether a field is personal data that everybody sees masked until they reveal it, each time with a reason.
 */
export const isPersonalField = ({
  mask,
  unmaskedFor,
  personal,
}: Pick<Field, 'mask' | 'unmaskedFor' | 'personal'>): boolean => (!!mask && !unmaskedFor) || personal === true

/** Returns the field without its mask, for values that somebody has revealed. */
export const withoutMask = <F extends Field>(field: F): F => ({ ...field, mask: undefined, personal: undefined })

const declared = new Map<string, MaskName>()
/** Field names that are not registered as masked, because things such as products have fields of these names too. */
const ANYBODYS = new Set(['name', 'address', 'avatar', 'snapshot'])

/** Registers that a field of this name is masked also where only the name is known, as in logs. */
export function registerMaskedFieldName(name: string, mask: MaskName): void {
  if (!ANYBODYS.has(name.toLowerCase())) declared.set(normalizeFieldName(name), mask)
}

const phoneNames = /phone|mobile|^tel$/
/** Masks of names and addresses, which count as personal data only in an object that also holds a phone number. */
const personalWithPhone = new Map<string, MaskName>([
  ['name', 'name'],
  ['contact', 'name'],
  ['contactname', 'name'],
  ['linkman', 'name'],
  ['address', 'address'],
  ['addressdetail', 'address'],
  ['detailaddress', 'address'],
])

/**
 * Returns a function that gives the mask for a key of an object with these entries: for masked names that fields
 * declare, for phones, and for names and addresses beside a phone. Looks for the phone once, when a key first needs it.
 */
export function createMaskLookup(
  entries: readonly (readonly [string, unknown])[],
): (name: string) => MaskName | undefined {
  let hasPhone: boolean | undefined
  const isPerson = () =>
    (hasPhone ??= entries.some(([name, value]) => value && phoneNames.test(normalizeFieldName(name))))
  return (name) => {
    const plain = normalizeFieldName(name)
    const alone = declared.get(plain) ?? (phoneNames.test(plain) ? 'phone' : undefined)
    if (alone) return alone
    const mask = personalWithPhone.get(plain)
    return mask && isPerson() ? mask : undefined
  }
}

/** Matches a mobile number within a text, but not within a longer number. */
const mobile = /(?<!\d)1[3-9]\d{9}(?!\d)/g

export const maskMobileNumbers = (text: string): string => text.replace(mobile, maskFunctions.phone)

const DEPTH_MAX = 30

/**
 * Returns structured data with personal data masked, by key names and by mobile numbers in texts. Data nested deeper
 * than `DEPTH_MAX` becomes null.
 */
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
