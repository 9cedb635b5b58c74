import type { LocalizedText } from '../base/localized-text.ts'

/** A figure reports may compute of a resource's rows: their number, or the sum or average of a field. */
export type Measure<K extends string = string> = {
  label: LocalizedText
  /** Explanation of the figure for its reader. */
  help?: LocalizedText
  /** Field that is summed. With neither `sum` nor `average`, rows are counted. */
  sum?: K
  average?: K
  /**
   * Fields added to (`plus`) or subtracted from (`less`) each row's value; `times`: field the result is multiplied by.
   */
  plus?: readonly K[]
  less?: readonly K[]
  times?: K
  /** Whether a rise is good or bad news; colours the comparison with the earlier period. No colour if absent. */
  more?: 'good' | 'bad'
  /**
   * Which rows count, as keys of the list filter. Keys must end in `_in`, `_null` or `_notnull`, so that they can be
   * combined with the reader's own filter.
   */
  where?: Record<string, string>
}
