import type { LocalizedText } from '../base/localized-text.ts'

/**
 * A setting the platform's staff can change at run time. Seeded at start and shown with label and help; its key is
 * never renamed.
 */
export type SystemParam = {
  key: string
  label: LocalizedText
  help: LocalizedText
  /** Default; also used while the stored text is not valid. */
  value: string
  /** Limits of a numeric setting; it is text if absent. */
  number?: { min: number; max: number; decimals?: number }
}

export const defineSystemParam = <const P extends SystemParam>(param: P): P => param

/**
 * Declares for how many days a growing table is kept (`ModuleDefinition.retention`); `min` where a law or a later step
 * needs older rows.
 */
export const defineRetentionParam = (key: string, days: number, label: LocalizedText, min = 1): SystemParam =>
  defineSystemParam({
    key: `keep.${key}`,
    value: String(days),
    number: { min, max: 36_500 },
    label,
    help: { zh: '到期的每夜清理', en: 'Older ones are deleted every night' },
  })

/** Parses a setting's text as a number; undefined where it is no number or is outside the limits. */
export function parseParamNumber({ number }: SystemParam, value: string | null | undefined): number | undefined {
  const text = value?.trim() ?? ''
  if (!number || !new RegExp(`^-?\\d{1,12}${number.decimals ? `(\\.\\d{1,${number.decimals}})?` : ''}$`).test(text))
    return undefined
  const parsed = Number(text)
  return parsed >= number.min && parsed <= number.max ? parsed : undefined
}
