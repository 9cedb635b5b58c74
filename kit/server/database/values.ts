import pg from 'pg'
import { isRowIdColumn } from '../../resource/row-names.ts'
import { Refused } from '../refused.ts'

const { builtins } = pg.types

/**
 * What comes out of SQL, in one place. Amounts, counts and sums are numbers, whichever integer type the database has
 * for them: one that a number does not hold exactly is refused, never rounded. Numbers of rows are 64 bits and stay
 * text; an `int8` is one if its column is called like one (row-names.ts), which the test of all statements holds true.
 */
export function registerSqlTypeParsers(): void {
  const { types } = pg
  types.setTypeParser(builtins.TIMESTAMPTZ, (text) => text.slice(0, 19))
  types.setTypeParser(builtins.TIMESTAMP, (text) => text.slice(0, 19))
  types.setTypeParser(builtins.DATE, (text) => text)
  types.setTypeParser(builtins.NUMERIC, exact)
}

function exact(text: string): number {
  const value = Number(text)
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    // One amount typed with too many digits is enough for a sum to get here: people are told, nothing has crashed.
    throw new Refused('number_too_big')
  }
  return value
}

const camelNames = new Map<string, string>()
function camel(name: string): string {
  let out = camelNames.get(name)
  if (out === undefined) {
    out = name.includes('_') ? name.replace(/_(\w)/g, (_all, letter: string) => letter.toUpperCase()) : name
    camelNames.set(name, out)
  }
  return out
}

/** Makes a row of what arrived for it. */
export type RowReader = (texts: readonly (string | null)[]) => Record<string, unknown>

/** Rows with camelCase keys; what is to be known of the columns is looked up once. */
export function createRowReader(fields: readonly Pick<pg.FieldDef, 'name' | 'dataTypeID'>[]): RowReader {
  const columns = fields.map(({ name, dataTypeID }) => ({
    key: camel(name),
    read: (dataTypeID === builtins.INT8 && !isRowIdColumn(name) ? exact : pg.types.getTypeParser(dataTypeID)) as (
      text: string,
    ) => unknown,
  }))
  // An object that gets dozens of keys one by one becomes a hash table, slow to fill and to read; a copy does not.
  const blank = Object.fromEntries(columns.map(({ key }) => [key, null]))
  return (texts) => {
    const row: Record<string, unknown> = { ...blank }
    for (let at = 0; at < columns.length; at++) {
      const { key, read } = columns[at]!
      const text = texts[at]!
      row[key] = text === null ? null : read(text)
    }
    return row
  }
}
