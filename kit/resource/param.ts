import type { LocalizedText } from './localized-text.ts'

/**
 * A figure or word the platform's people may change while the product runs: seeded at start, shown with its words,
 * never renamed.
 */
export type SystemParam = {
  key: string
  label: LocalizedText
  help: LocalizedText
  /** What it says until somebody changes it, and when what somebody wrote makes no sense. */
  value: string
  /** A number within these limits; text without. */
  number?: { min: number; max: number; decimals?: number }
}

export const defineSystemParam = <const P extends SystemParam>(param: P): P => param

/**
 * So many days what grows for ever is kept (`ModuleDefinition.retention`); `min` where a law or a later act still needs
 * it.
 */
export const defineRetentionParam = (key: string, days: number, label: LocalizedText, min = 1): SystemParam =>
  defineSystemParam({
    key: `keep.${key}`,
    value: String(days),
    number: { min, max: 36_500 },
    label,
    help: { zh: '到期的每夜清理', en: 'Older ones are deleted every night' },
  })

/** What a value says as the parameter's number; undefined where it is none, or beyond the limits. */
export function parseParamNumber({ number }: SystemParam, value: string | null | undefined): number | undefined {
  const text = value?.trim() ?? ''
  if (!number || !new RegExp(`^-?\\d{1,12}${number.decimals ? `(\\.\\d{1,${number.decimals}})?` : ''}$`).test(text))
    return undefined
  const said = Number(text)
  return said >= number.min && said <= number.max ? said : undefined
}
