/** The spare columns of tables that hold the fields tenants add themselves (custom-fields.ts). */

/** Spare columns of a resource: how many of each letter, with their SQL type. */
export const CUSTOM_FIELD_SLOTS = {
  /** Short texts and choices, short enough to be indexed. */
  t: { count: 12, type: 'text' },
  /** Longer texts, too long for an index. */
  x: { count: 2, type: 'text' },
  /**
   * Numbers. `float8` and not `numeric`: under row-level security PostgreSQL uses an index only with leakproof
   * comparisons, and those of `numeric` are not.
   */
  f: { count: 8, type: 'float8' },
  d: { count: 4, type: 'date' },
  m: { count: 2, type: 'timestamptz(3)' },
  r: { count: 4, type: 'bigint' },
  l: { count: 2, type: 'text[]' },
} as const

export type CustomSlotLetter = keyof typeof CUSTOM_FIELD_SLOTS

export const customSlotLetterOf = (slot: string): CustomSlotLetter => slot.slice(0, 1) as CustomSlotLetter

export const customSlotsOfLetter = (letter: CustomSlotLetter): string[] =>
  Array.from({ length: CUSTOM_FIELD_SLOTS[letter].count }, (_none, at) => `${letter}${at + 1}`)

/** SQL type of each spare column, by column name (`own_t3`). */
export const customColumnTypes: Readonly<Record<string, string>> = Object.fromEntries(
  (Object.keys(CUSTOM_FIELD_SLOTS) as CustomSlotLetter[]).flatMap((letter) =>
    customSlotsOfLetter(letter).map((slot) => [`own_${slot}`, CUSTOM_FIELD_SLOTS[letter].type]),
  ),
)

/** Number of spare columns by letter (`t12 x2 …`), as the schema snapshot of the migrations records it. */
export const customColumnsSignature = Object.entries(CUSTOM_FIELD_SLOTS)
  .map(([letter, { count }]) => letter + count)
  .join(' ')

const NAME = /^own\d+([a-z]\d+)$/

/** Returns the column of a custom field (`own_t3` for `own12t3`), or undefined for any other field name. */
export const customColumnNameOf = (name: string): string | undefined => {
  const slot = NAME.exec(name)?.[1]
  return slot && `own_${slot}`
}

export const customFieldKey = (number: number, slot: string): string => `own${number}${slot}`
