const SHOWN_BEFORE = 3
const SHOWN_AFTER = 4
const LONG_FROM = 11
const TOWN = 6

/**
 * Masks by name, each with the function that masks a text. A field declares one (`mask: 'phone'`). Lists, details,
 * pickers, sheets, histories and logs then show the masked text to users who may not read it whole, and no filter may
 * ask for a hidden part.
 */
export const maskFunctions = {
  /** 138****5678; only the last four of fewer than 11 characters, and none of fewer than 7. */
  phone: (text: string): string => {
    if (text.length < SHOWN_AFTER + SHOWN_BEFORE) return text && '****'
    return `${text.length < LONG_FROM ? '' : text.slice(0, SHOWN_BEFORE)}****${text.slice(-SHOWN_AFTER)}`
  },
  /** 张**: the family name; hides how long the rest is. */
  name: (text: string): string => text && `${Array.from(text)[0]}**`,
  /** 浙江省杭州市****: the first six characters, but at most half of them. */
  address: (text: string): string =>
    text &&
    `${Array.from(text)
      .slice(0, Math.min(TOWN, Math.floor(Array.from(text).length / 2)))
      .join('')}****`,
  /** Hides a picture of a person's face altogether. */
  face: (_text: string): string => '',
} as const

export type MaskName = keyof typeof maskFunctions

/**
 * How many characters at the end a mask leaves visible (`length`) in values of at least `from` characters. Everybody
 * reads them, so filters may search for them.
 */
export const VISIBLE_MASK_ENDS: { readonly [mask in MaskName]?: { readonly length: number; readonly from: number } } = {
  phone: { length: SHOWN_AFTER, from: SHOWN_BEFORE + SHOWN_AFTER },
}
