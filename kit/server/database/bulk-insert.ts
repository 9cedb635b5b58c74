import { raw, sql, type Db } from './db.ts'

const CHUNK = 2000

const asText = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return `{${value.map((one) => JSON.stringify(String(one))).join(',')}}`
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

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
  const wanted = raw(names.map((name, at) => `d.c${at}::${columns[name]}`).join(', '))
  // The database writes one part while the next is put into words here.
  let sent: Promise<unknown> = Promise.resolve()
  for (let from = 0; from < rows.length; from += CHUNK) {
    const part = rows.slice(from, from + CHUNK)
    const arrays = names.map((_name, at) => sql`${part.map((row) => asText(row[at]))}::text[]`)
    const list = arrays.reduce((all, one) => sql`${all}, ${one}`)
    const statement = sql`${head} select ${db.tenantId}, ${wanted} from unnest(${list}) d(${raw(places.join(', '))})`
    await sent
    sent = db.run(statement)
    // Said where it is waited for.
    sent.catch(() => {})
  }
  await sent
}
