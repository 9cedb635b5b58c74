import { PoolExhaustedError } from './database/admission.ts'
import { isTransientDatabaseError, CommitOutcomeUnknownError } from './database/connections.ts'
import { truncateText } from './foreign-text.ts'
import { sanitizeForStorage } from './outside-json.ts'
import { Refused } from './refused.ts'
import { SYSTEM_TEXT_SEPARATOR, defineSystemText } from './system-words.ts'

/**
 * Rows of a list somebody else made: each is handled alone. One that cannot be read, or whose values the database
 * refuses, is told with its reason, and costs none of the others anything.
 */

const REASON_MAX = 150
const ODD_VALUE_MAX = 60

export const UNREADABLE_ROW_TEXT = defineSystemText({ zh: '内容无法识别', en: 'Could not be read' })
const UNSTORABLE = defineSystemText({ zh: '内容无法保存', en: 'Could not be saved' })

/** SQLSTATE classes of a statement whose values were wrong: data, integrity, limits. */
const OF_VALUES = /^(?:21|22|23|54)/

const sqlStateOf = (error: unknown): string | undefined => {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown }
  return typeof severity === 'string' && typeof code === 'string' ? code : undefined
}

/**
 * Whether a failure is of the row at hand. A database that is away, crowded, in a deadlock or out of time is no row's
 * fault: the next one would fail as well, and the whole is tried again.
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
 * Why a row failed, as it is kept beside the row and shown: a sentence of the system (`translateSystemTextField`), and
 * behind
 * it what was wrong, bounded and storable.
 */
export const rowFailureReason = (error: unknown): string =>
  [sqlStateOf(error) ? UNSTORABLE : UNREADABLE_ROW_TEXT, errorSummary(error)]
    .filter(Boolean)
    .join(SYSTEM_TEXT_SEPARATOR)

const NAMED_MAX = 5
const LEFT_OUT_MAX = 200
const LEFT_OUT = defineSystemText({ zh: '有内容没能同步', en: 'Some content could not be synced' })

/** Which rows of a list were left out, as the row says it that the list belongs to; nothing where none was. */
export const skippedRowsNote = (names: readonly string[]): string | null =>
  names.length
    ? truncateText(
        [LEFT_OUT, `${names.length}: ${names.slice(0, NAMED_MAX).join(', ')}`].join(SYSTEM_TEXT_SEPARATOR),
        LEFT_OUT_MAX,
      )
    : null

/** Whether it is that what a row says. */
export const isSkippedRowsNote = (said: string | null): boolean => said?.startsWith(LEFT_OUT) ?? false

/** Makes the error to throw for a value that is none: it names its key and shows the value, bounded. */
export const oddValue = (key: string, value: unknown): TypeError =>
  new TypeError(`${key}: ${truncateText(JSON.stringify(value) ?? '', ODD_VALUE_MAX)}`)

/** What an error says, bounded, storable and in one line. */
export function errorSummary(error: unknown): string {
  const said = error instanceof Refused ? error.code : error instanceof Error ? error.message : String(error)
  return sanitizeForStorage(truncateText(said, REASON_MAX)).replaceAll(/\s+/g, ' ').trim()
}

/**
 * Handles each row alone, one after the other, and tells of each that failed. In a transaction `handle` is a savepoint
 * (`db.savepoint`), elsewhere a unit of its own. Answers the rows that went well; throws what is no row's own fault
 * (`isOfRow`, or what `isOfAll` says of the other side).
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
