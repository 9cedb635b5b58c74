/**
 * Handles rows of data from outside one by one: a row that cannot be read, or whose values the database refuses, is
 * reported with its reason and does not stop the others.
 */
import { PoolExhaustedError } from './admission.ts'
import { isTransientDatabaseError, CommitOutcomeUnknownError } from './connections.ts'
import { truncateText } from '../base/foreign-text.ts'
import { sanitizeForStorage } from '../base/outside-json.ts'
import { Refused } from '../base/refused.ts'
import { SYSTEM_TEXT_SEPARATOR, defineSystemText } from '../base/system-words.ts'

const REASON_MAX = 150
const INVALID_VALUE_MAX = 60

export const UNREADABLE_ROW_TEXT = defineSystemText({ zh: '内容无法识别', en: 'Could not be read' })
const UNSTORABLE = defineSystemText({ zh: '内容无法保存', en: 'Could not be saved' })

/** SQLSTATE classes caused by the values of a statement: data, constraint and size errors. */
const OF_VALUES = /^(?:21|22|23|54)/

const sqlStateOf = (error: unknown): string | undefined => {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  return typeof severity === 'string' && typeof code === 'string' ? code : undefined
}

/**
 * Whether an error was caused by the row's own values. An unreachable or overloaded database, a deadlock or a timeout
 * is not: the next row would fail too, and the whole run is retried.
 */
export function isRowError(error: unknown): boolean {
  const { name } = (error ?? {}) as { name?: unknown }
  if (
    isTransientDatabaseError(error) ||
    error instanceof PoolExhaustedError ||
    error instanceof CommitOutcomeUnknownError ||
    name === 'AbortError'
  )
    return false
  const state = sqlStateOf(error)
  return state === undefined || OF_VALUES.test(state)
}

/**
 * Returns the failure text stored with a row: a translatable system text (`translateSystemTextField`) and after it the
 * error, shortened and safe to store.
 */
export const rowFailureReason = (error: unknown): string =>
  [sqlStateOf(error) ? UNSTORABLE : UNREADABLE_ROW_TEXT, errorSummary(error)]
    .filter(Boolean)
    .join(SYSTEM_TEXT_SEPARATOR)

const NAMED_MAX = 5
const LEFT_OUT_MAX = 200
const LEFT_OUT = defineSystemText({ zh: '有内容没能同步', en: 'Some content could not be synced' })

/** Returns the note stored on the parent of the skipped rows, with some of their names; null if none was skipped. */
export const skippedRowsNote = (names: readonly string[]): string | null =>
  names.length
    ? truncateText(
        [LEFT_OUT, `${names.length}: ${names.slice(0, NAMED_MAX).join(', ')}`].join(SYSTEM_TEXT_SEPARATOR),
        LEFT_OUT_MAX,
      )
    : null

/** Whether a stored note was made by `skippedRowsNote`. */
export const isSkippedRowsNote = (note: string | null): boolean => note?.startsWith(LEFT_OUT) ?? false

/** Returns the error to throw for an invalid value; its message has the key and the shortened value. */
export const invalidValueError = (key: string, value: unknown): TypeError =>
  new TypeError(`${key}: ${truncateText(JSON.stringify(value) ?? '', INVALID_VALUE_MAX)}`)

/** Returns an error's message in one line, shortened and safe to store. */
export function errorSummary(error: unknown): string {
  const message = error instanceof Refused ? error.code : error instanceof Error ? error.message : String(error)
  return sanitizeForStorage(truncateText(message, REASON_MAX)).replaceAll(/\s+/g, ' ').trim()
}

/**
 * Handles the rows one after the other and calls `failed` for each that fails by its own values. Inside a transaction
 * `handle` must use a savepoint (`db.savepoint`). Returns the rows that succeeded. Throws errors that would hit every
 * row: those that are no `isRowError`, and those for which `isOfAll` is true.
 */
export async function processEachRow<T>(
  rows: Iterable<T>,
  {
    handle,
    failed,
    isOfAll = () => false,
  }: {
    handle: (row: T) => unknown
    failed: (row: T, reason: string, error: unknown) => unknown
    isOfAll?: (error: unknown) => boolean
  },
): Promise<T[]> {
  const well: T[] = []
  for (const row of rows)
    try {
      await handle(row)
      well.push(row)
    } catch (error) {
      if (isOfAll(error) || !isRowError(error)) throw error
      await failed(row, rowFailureReason(error), error)
    }
  return well
}
