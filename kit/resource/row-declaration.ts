import type { FieldValueTest } from '../fields/base/condition.ts'

/** A test of a warning: as in a `RowCondition`, or that a number is at most `le`. */
export type RowWarning = FieldValueTest | { le: number }

/**
 * How one row of a resource reads in two lines, wherever rows are listed: lists on a phone, search results, pickers,
 * bulk tables. Every part is optional; `rowLayoutOf` derives what is missing.
 */
export type RowDeclaration<K extends string = string, A extends string = string> = {
  /** Field of the first line, or several, of which those with a value are joined by a blank. */
  title?: K | readonly K[]
  /** Fields of the second line, joined by " · ". `…orderNo` shows the last six characters of a number. */
  sub?: readonly (K | `…${K}`)[]
  /** Money or a number with its unit, at the right. `+change` shows the sign; a pair reads "old → new". */
  amount?: K | `+${K}` | readonly [from: K, to: K] | false
  /** Choice or yes/no field shown as a word, or a number shown with its label. */
  state?: K | false
  /** Keys of states that are the normal end of a row and are shown as plain grey words. */
  calm?: readonly string[]
  /** Time at the end of the second line; the list's own time field if absent. */
  time?: K | false
  picture?: K | false
  /** Field of a third line, only where it decides what to do. */
  below?: K
  /** The row needs somebody: the amount or state named by the key is shown in red. */
  warn?: { readonly [key in K]?: RowWarning }
  /** Time that is shown in red once it has passed. */
  late?: K
  /** At most two row actions offered by swiping to the left, also such that only the page adds. */
  swipe?: readonly (A | (string & {}))[]
  /** Action offered as a small button in the row while it is enabled; of several the first that is. */
  act?: A | (string & {}) | readonly (A | (string & {}))[]
  /** What headings the list has on a phone: days of its time, or the values of a field. */
  group?: 'day' | K | false
}
