import pg from 'pg'
import { namesRow } from '../../resource/row-names.ts'

const { builtins } = pg.types

/**
 * What comes out of SQL, in one place. Amounts, counts and sums are numbers, whichever integer type the database has
 * for them: one that a number does not hold exactly is refused, never rounded. Numbers of rows are 64 bits and stay
 * text; an `int8` is one if its column is called like one (row-names.ts), which the test of all statements holds true.
 */
export function readValues(): void {
  const { types } = pg
  types.setTypeParser(builtins.TIMESTAMPTZ, (text) => text.slice(0, 19))
  types.setTypeParser(builtins.TIMESTAMP, (text) => text.slice(0, 19))
  types.setTypeParser(builtins.DATE, (text) => text)
  types.setTypeParser(builtins.NUMERIC, exact)
}

function exact(text: string): number {
  const value = Number(text)
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw new RangeError('A number beyond 2^53 was read: it would be rounded')
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

/** Rows of an answer with camelCase keys. */
export function rowsOf(result: pg.QueryResult): Record<string, unknown>[] {
  const fields = result.fields ?? []
  const rows = result.rows as Record<string, unknown>[]
  for (const { name, dataTypeID } of fields) {
    if (dataTypeID !== builtins.INT8 || namesRow(name)) continue
    for (const row of rows) if (row[name] !== null) row[name] = exact(row[name] as string)
  }
  if (!fields.some((field) => field.name.includes('_'))) return rows
  return rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [camel(key), value])))
}
