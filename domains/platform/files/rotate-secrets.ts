import type pg from 'pg'
import {
  decryptAndFindKey,
  ENCRYPTED_SECRET_PATTERN,
  encryptSecretWith,
  type SecretsEncryptionKey,
  type SecretsEncryptionKeys,
} from './secrets.ts'

/**
 * Key in the table `installation` under which the fingerprints of the encryption keys in use are stored; a server with
 * other keys refuses to start.
 */
const NAME = 'secretsKeys'
const nameOf = ({ id, fingerprint }: SecretsEncryptionKey) => `${id}.${fingerprint}`

async function inUse(client: pg.ClientBase): Promise<string[] | undefined> {
  const { rows } = await client.query<{ value: string }>('select value from installation where key = $1', [NAME])
  return rows[0]?.value.split(' ')
}

const recordKeysInUse = (client: pg.ClientBase, keys: readonly string[]) =>
  client.query('insert into installation values ($1, $2) on conflict (key) do update set value = excluded.value', [
    NAME,
    [...new Set(keys)].join(' '),
  ])

const ids = (names: readonly string[]) => names.map((name) => name.split('.')[0]).join(', ')

/**
 * Rows of a table that is searched for secrets at the start: larger tables hold sales and logs, not provider
 * credentials.
 */
const SMALL = 20_000

type Column = { table: string; column: string; type: string }

/** Returns the text and JSON columns of all tables, or only of those with at most `rowsMost` rows. */
async function columnsOf(client: pg.ClientBase, rowsMost = Infinity): Promise<Map<string, Column[]>> {
  const { rows } = await client.query<Column>(
    `select c.oid::regclass::text as table, quote_ident(a.attname) as column, format_type(a.atttypid, null) as type
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.reltuples <= $1::float8
        and a.attgenerated = '' and a.atttypid in ('text'::regtype, 'varchar'::regtype, 'json'::regtype,
          'jsonb'::regtype)
      order by 1, a.attnum`,
    [Number.isFinite(rowsMost) ? rowsMost : 1e18],
  )
  return Map.groupBy(rows, ({ table }) => table)
}

const holdsSealed = (column: string) => `${column}::text like '%sealed_:%'`

/** Returns the keys that encrypted a sample of the stored secrets. Throws when a secret fits none of the keys. */
async function keysInRows(client: pg.ClientBase, { all }: SecretsEncryptionKeys): Promise<SecretsEncryptionKey[]> {
  const found = new Set<SecretsEncryptionKey>()
  let closed: unknown
  for (const [table, columns] of await columnsOf(client, SMALL)) {
    const texts = columns.map(({ column }) => `${column}::text`).join(', ')
    const { rows } = await client.query<{ text: string }>(
      `select concat_ws(' ', ${texts}) as text from ${table}
        where ${columns.map(({ column }) => holdsSealed(column)).join(' or ')} limit 20`,
    )
    for (const [sealed] of rows.flatMap(({ text }) => [...text.matchAll(ENCRYPTED_SECRET_PATTERN)]))
      try {
        found.add(decryptAndFindKey(all, sealed).key)
      } catch (error) {
        closed = error
      }
  }
  if (closed && !found.size) throw closed as Error
  return [...found]
}

const HOW_TO_ROTATE =
  'To change the key, say the new one as SECRETS_KEY and the old one as SECRETS_KEYS_ALSO, then run ' +
  'npm run rotate-secrets (docs/operations.md).'

/**
 * Throws when this server cannot decrypt the secrets the database's other servers encrypted; stores the fingerprint of
 * its own key. `client` connects as the owner.
 */
export async function requireMatchingSecretKeys(client: pg.ClientBase, keys: SecretsEncryptionKeys): Promise<void> {
  const own = nameOf(keys.sealing)
  const source = keys.isOfEnvironment ? 'SECRETS_KEY' : 'The key in DATA_DIR/keys'
  const refuse = (why: string) => new Error(`${source} is not the one this database's secrets are sealed with: ${why}`)
  const before = await inUse(client)
  if (!before) {
    const inRows = await keysInRows(client, keys).catch(() => {
      throw refuse(`none of them can be opened. ${HOW_TO_ROTATE}`)
    })
    await recordKeysInUse(client, [...inRows.map(nameOf), own])
    return
  }
  const held = new Set(keys.all.map(nameOf))
  const lacking = before.filter((name) => !held.has(name))
  if (lacking.length === before.length)
    throw refuse(`they know key ${ids(before)}, this server has ${keys.sealing.id}. ${HOW_TO_ROTATE}`)
  if (lacking.length)
    throw new Error(
      `Some secrets are still sealed with key ${ids(lacking)}, which this server does not have. Say it as ` +
        'SECRETS_KEYS_ALSO until npm run rotate-secrets has come to its end.',
    )
  if (!before.includes(own)) await recordKeysInUse(client, [...before, own])
}

/** Whether all stored secrets are encrypted with this key. */
export const isOnlySecretKeyInUse = async (client: pg.ClientBase, key: SecretsEncryptionKey): Promise<boolean> => {
  const now = await inUse(client)
  return !now || (now.length === 1 && now[0] === nameOf(key))
}

const BATCH = 200

type Rotated = { resealed: number; closed: number; lost: Set<string> }

/**
 * Re-encrypts the secrets of one table's columns that other keys encrypted. Each statement commits by itself, so an
 * interrupted run can start again.
 */
async function resealTable(
  client: pg.ClientBase,
  columns: readonly Column[],
  keys: SecretsEncryptionKeys,
  into: Rotated,
) {
  for (const { table, column, type } of columns) {
    let after = '(0,0)'
    for (;;) {
      const { rows } = await client.query<{ at: string; text: string }>(
        `select ctid::text as at, ${column}::text as text from ${table}
          where ctid > $1::tid and ${holdsSealed(column)} order by ctid limit ${BATCH}`,
        [after],
      )
      if (!rows.length) break
      for (const { at, text } of rows) {
        after = at
        const fresh = text.replace(ENCRYPTED_SECRET_PATTERN, (sealed) => {
          try {
            const { plain, key } = decryptAndFindKey(keys.all, sealed)
            const isNew = key.id === keys.sealing.id && sealed.startsWith('sealed2:')
            return isNew ? sealed : encryptSecretWith(keys.sealing, plain)
          } catch {
            into.closed++
            into.lost.add(`${table}.${column}`)
            return sealed
          }
        })
        if (fresh === text) continue
        // A row changed meanwhile was encrypted by its writer, or is found again in the next pass.
        const { rowCount } = await client.query(
          `update ${table} set ${column} = $1::${type} where ctid = $2::tid and ${column}::text = $3`,
          [fresh, at, text],
        )
        into.resealed += rowCount ?? 0
      }
    }
  }
}

/**
 * Re-encrypts all secrets with this server's key and records that no other is needed. Can be interrupted and run again;
 * servers that have both keys stay in operation.
 */
export async function rotateSecrets(client: pg.ClientBase, keys: SecretsEncryptionKeys): Promise<Rotated> {
  const before = (await inUse(client)) ?? []
  await recordKeysInUse(client, [...before, nameOf(keys.sealing)])
  const all: Rotated = { resealed: 0, closed: 0, lost: new Set() }
  for (;;) {
    const look: Rotated = { resealed: 0, closed: 0, lost: all.lost }
    for (const columns of (await columnsOf(client)).values()) await resealTable(client, columns, keys, look)
    all.resealed += look.resealed
    all.closed = look.closed
    if (!look.resealed) break
  }
  await recordKeysInUse(client, [nameOf(keys.sealing)])
  return all
}
