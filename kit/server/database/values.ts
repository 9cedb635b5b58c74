import pg from 'pg'
import { isRowIdColumn } from '../../resource/row-names.ts'
import { Refused } from '../base/refused.ts'

const { builtins } = pg.types

/**
 * Sets how SQL values become JavaScript values. Amounts, counts and sums become numbers, whatever integer type they
 * have; a value too large to be exact is refused, never rounded. Row ids have 64 bits and stay text: an `int8` column
 * counts as an id by its name (row-names.ts); a test checks that for all statements.
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
    // A sum can exceed this if someone typed an amount with too many digits, so it is a refusal and not a crash.
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

/** Makes a row from the texts of its columns. */
export type RowReader = (texts: readonly (string | null)[]) => Record<string, unknown>

/** Creates a reader that returns rows with camelCase keys; names and parsers are looked up once. */
export function createRowReader(fields: readonly Pick<pg.FieldDef, 'name' | 'dataTypeID'>[]): RowReader {
  const columns = fields.map(({ name, dataTypeID }) => ({
    key: camel(name),
    read: (dataTypeID === builtins.INT8 && !isRowIdColumn(name) ? exact : pg.types.getTypeParser(dataTypeID)) as (
      text: string,
    ) => unknown,
  }))
  // Copying an object with all keys is faster: one that gets dozens of keys one by one becomes a slow hash table.
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
