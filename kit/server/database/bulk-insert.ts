import { join, raw, sql, type Db } from './db.ts'

const CHUNK = 2000

const asText = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return quoted(`{${value.map((one) => quoted(String(one))).join(',')}}`)
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const NEEDS_ESCAPE = /["\\]/
/** Quotes an array element for PostgreSQL. Tests for special characters first, as few texts need escaping. */
const quoted = (text: string) => `"${NEEDS_ESCAPE.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`

/** Array columns are passed as text: an array of arrays would become one two-dimensional array. */
const isArray = (type: string) => type.endsWith('[]')

/** Column types of creator, creation and update time, for a bulk insert that writes them itself. */
export const auditColumnTypes = { create_user: 'bigint', create_time: 'timestamptz', update_time: 'timestamptz' }

/**
 * Inserts many rows with few statements, for demo data and imports: no hooks, and only the defaults of the database.
 * `columns` maps column names to SQL types; each row has its values in that order. Adds the tenant.
 */
export async function bulkInsert(
  db: Db,
  table: string,
  columns: Record<string, string>,
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const names = Object.keys(columns)
  const places = names.map((_name, at) => `c${at}`)
  const head = raw(`insert into "${table}" (${['tenant_id', ...names].map((name) => `"${name}"`).join(', ')})`)
  const types = Object.values(columns)
  const wanted = raw(types.map((type, at) => `d.c${at}${isArray(type) ? `::${type}` : ''}`).join(', '))
  // The database writes one chunk while the next is being built.
  let sent: Promise<unknown> = Promise.resolve()
  for (let from = 0; from < rows.length; from += CHUNK) {
    const part = rows.slice(from, from + CHUNK)
    const list = join(
      types.map((type, at) => {
        const array = raw(`::${isArray(type) ? 'text' : type}[]`)
        return sql`${`{${part.map((row) => asText(row[at])).join(',')}}`}${array}`
      }),
    )
    const statement = sql`${head} select ${db.tenantId}, ${wanted} from unnest(${list}) d(${raw(places.join(', '))})`
    await sent
    sent = db.run(statement)
    // The rejection is handled where `sent` is awaited.
    sent.catch(() => {})
  }
  await sent
}
