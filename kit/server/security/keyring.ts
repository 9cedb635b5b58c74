import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { runSystemTransaction } from '../database/connections.ts'
import { silentLogger, type MinimalLogger } from '../base/minimal-logger.ts'
import type { SharedStore } from '../shared/index.ts'

export const jwtKeyTablesSql = `
create table if not exists jwt_key (
  kid text primary key,
  secret text not null,
  create_time timestamptz not null default clock_timestamp(),
  retire_time timestamptz
);
create unique index if not exists jwt_key_current on jwt_key ((true)) where retire_time is null;
`

type JwtKey = { kid: string; secret: Uint8Array }

/** Keys that sign tokens, shared by all processes: one current key signs, retired ones still verify. */
export type Keyring = {
  current(): JwtKey
  /** Returns undefined if the key never existed or has expired. */
  find(kid: string): Promise<JwtKey | undefined>
  close(): void
}

const channel = 'jwt-keys'
const refreshMs = 60_000
const unknownKidPauseMs = 1_000
/**
 * Seconds a retired key still verifies: longer than any token lives (the longest refresh token a client may ask for).
 */
const verifySecondsDefault = 30 * 24 * 3600

async function insertKey(pool: { query: Pool['query'] }) {
  const [kid, secret] = [randomBytes(9).toString('base64url'), randomBytes(48).toString('base64url')]
  await pool.query('insert into jwt_key (kid, secret) values ($1, $2) on conflict do nothing', [kid, secret])
}

/** Opens the keyring; the first process of an installation makes the first key. */
export async function openKeyring(
  pool: Pool,
  shared: SharedStore,
  log: MinimalLogger = silentLogger,
): Promise<Keyring> {
  let keys = new Map<string, JwtKey>()
  let current: JwtKey | undefined
  let loadedAt = 0

  async function load() {
    const { rows } = await pool.query('select kid, secret, retire_time is null as is_current from jwt_key')
    const all = rows.map((row) => ({ kid: row.kid, secret: Buffer.from(row.secret, 'base64url'), is: row.is_current }))
    keys = new Map(all.map((key) => [key.kid, key]))
    current = all.find((key) => key.is)
    loadedAt = Date.now()
  }

  const reload = () =>
    void load().catch((err: unknown) => log.warn({ err }, 'The signing keys could not be read again'))

  await load()
  if (!current) {
    await insertKey(pool)
    await load()
  }
  const unsubscribe = await shared.subscribe(channel, reload, reload)
  const timer = setInterval(reload, refreshMs).unref()

  return {
    current() {
      if (!current) throw new Error('There is no key to sign tokens with')
      return current
    },
    async find(kid) {
      // Another process may just have rotated. The pause keeps forged key ids from causing database load.
      if (!keys.has(kid) && Date.now() - loadedAt > unknownKidPauseMs) await load()
      return keys.get(kid)
    },
    close() {
      clearInterval(timer)
      unsubscribe()
    },
  }
}

type Rotation = {
  /** Notifies running servers at once; without it they notice within a minute. */
  shared?: SharedStore
  /** Seconds for which tokens of the old key stay valid. */
  verifySeconds?: number
  /** After a leak: deletes old keys at once, so that everybody must sign in again. */
  endSessions?: boolean
}

/** Creates a new signing key and retires the current one; returns how many keys still verify. */
export async function rotateKeys(pool: Pool, options: Rotation = {}): Promise<{ verifying: number }> {
  const { shared, verifySeconds = verifySecondsDefault, endSessions = false } = options
  const verifying = await runSystemTransaction(pool, async (client) => {
    await client.query("select pg_advisory_xact_lock(hashtextextended('jwt-key', 0))")
    await client.query('update jwt_key set retire_time = clock_timestamp() where retire_time is null')
    await client.query(
      'delete from jwt_key where retire_time < clock_timestamp() - make_interval(secs => $1::float8) or $2',
      [verifySeconds, endSessions],
    )
    await insertKey(client)
    const { rows } = await client.query('select count(*)::int as verifying from jwt_key')
    return rows[0] as { verifying: number }
  })
  await shared?.publish(channel, 'rotated')
  return verifying
}
