import { join, raw, sql, type Db } from './db.ts'

const CHUNK = 2000

const asText = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL'
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return quoted(`{${value.map((one) => quoted(String(one))).join(',')}}`)
  return quoted(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const NEEDS_ESCAPE = /["\\]/
/** An element of an array as PostgreSQL reads it. Most need no escape, and are seen to faster than they are escaped. */
const quoted = (text: string) => `"${NEEDS_ESCAPE.test(text) ? text.replace(/["\\]/g, '\\$&') : text}"`

/** A column that holds arrays itself is read from text: an array of arrays would be one array of two dimensions. */
const isArray = (type: string) => type.endsWith('[]')

/** Who wrote a row and when, among the columns of a bulk insert. */
export const auditColumnTypes = { create_user: 'bigint', create_time: 'timestamptz', update_time: 'timestamptz' }

/**
 * Many rows in few statements, for stories and imports: no hooks, no defaults but the database's. `columns` are SQL
 * types by column name, each row has its values in that order.
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
  // The database writes one part while the next is put into words here.
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
    // Said where it is waited for.
    sent.catch(() => {})
  }
  await sent
}
