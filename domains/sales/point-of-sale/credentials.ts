import { LRUCache } from 'lru-cache'
import type { Caller } from '#kit/server/base/caller.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineTable } from '#kit/server/database/schema.ts'
import {
  digestSecret,
  SECRET_DIGEST_COLUMNS,
  HIDDEN_DIGEST_COLUMNS,
  selectDigestsSql,
  matchesSecretDigest,
  newSecret,
  replaceDigestSql,
  type SecretDigests,
} from '#kit/server/security/index.ts'
import type { Services } from '#kit/server/module/services.ts'
import { onProcessBroadcast, broadcastToProcesses } from '#kit/server/shared/broadcast.ts'

/** Digests of the registers' secrets. */
export const registerKeyTable = defineTable({
  name: 'register_key',
  tenancy: 'tenant',
  secret: HIDDEN_DIGEST_COLUMNS,
  primaryKey: ['tenant_id', 'register_id'],
  columns: {
    tenant_id: 'text not null',
    register_id: 'bigint not null',
    ...SECRET_DIGEST_COLUMNS,
    issue_time: 'timestamptz(3) not null default now()',
    issue_user: 'bigint',
  },
})

const CHANGED = 'registers.changed'

/**
 * Creates and returns a new secret, which cannot be read again. The previous one stays valid for a day, to change over
 * the register.
 */
export async function issueKey(db: Db, registerId: string): Promise<string> {
  const secret = newSecret()
  await db.run(sql`insert into register_key as k (tenant_id, register_id, digest, issue_user)
    values (${db.tenantId}, ${registerId}, ${digestSecret(secret)}, ${db.userId})
    on conflict (tenant_id, register_id) do update set ${replaceDigestSql},
    issue_time = now(), issue_user = excluded.issue_user`)
  return secret
}

export const revokeKeys = (db: Db, registerId: string): Promise<number> =>
  db.run(sql`delete from register_key where tenant_id = ${db.tenantId} and register_id = ${registerId}`)

/** Makes every process forget its cached registers, after credentials, shops or states changed. */
export const invalidateCashRegisterCache = (services: Services): Promise<void> =>
  broadcastToProcesses(services, CHANGED, null)

type Headers = Record<string, string | string[] | undefined>
type Row = SecretDigests & {
  id: string
  tenantId: string
  shopId: string
  name: string
}

/** Serial number and secret of `Authorization: Basic`. */
function given(headers: Headers): { sn: string; secret: string } | undefined {
  const header = headers.authorization
  const match = /^Basic\s+([A-Za-z0-9+/=_-]{1,400})$/i.exec(typeof header === 'string' ? header : '')
  const [sn, ...rest] = match ? Buffer.from(match[1]!, 'base64').toString('utf8').split(':') : []
  const secret = rest.join(':')
  return sn && secret && /^[A-Za-z0-9-]{3,40}$/.test(sn) ? { sn, secret } : undefined
}

const TRUST_MS = 10_000
const SESSION = 'register/'

/**
 * Makes the function that authenticates a register by its credentials. The caller belongs to its tenant, is limited to
 * its shop, and has no permission except the terminal routes.
 */
export function createRegisterAuthenticator(services: Services): (headers: Headers) => Promise<Caller | undefined> {
  const known = new LRUCache<string, Caller>({ max: 10_000, ttl: TRUST_MS })
  onProcessBroadcast(services, CHANGED, () => known.clear())

  return async (headers) => {
    const credentials = given(headers)
    if (!credentials) return undefined
    const key = `${credentials.sn}:${digestSecret(credentials.secret)}`
    const hit = known.get(key)
    if (hit) return hit

    const rows = await services.unit(
      { crossTenantReason: 'a register says its number before its tenant is known' },
      (db) =>
        db.query<Row>(sql`
      select r.id, r.tenant_id, r.shop_id, r.name, ${selectDigestsSql}
      from cash_register r join register_key k on k.register_id = r.id and k.tenant_id = r.tenant_id
      where r.sn = ${credentials.sn} and r.status = 1 and r.is_deleted = 0`),
    )
    const row = rows.find((one) => matchesSecretDigest(one, credentials.secret))
    if (!row) return undefined

    const caller: Caller = {
      userId: '',
      tenantId: row.tenantId,
      account: credentials.sn,
      name: row.name,
      sessionId: `${SESSION}${row.id}`,
      clientId: 'terminal',
      roleIds: [],
      roleAliases: [],
      deptIds: [],
      deptTreeIds: [],
      isPlatform: false,
      isAdmin: false,
      permissions: new Set(),
      dataScopes: [],
      apiScopeIds: new Set(),
      limits: { shop: [row.shopId] },
    }
    known.set(key, caller)
    return caller
  }
}

/** Returns the register that makes a call, and its shop. */
export const cashRegisterOfCaller = (caller: Caller): { registerId: string; shopId: string } => ({
  registerId: caller.sessionId.slice(SESSION.length),
  shopId: caller.limits.shop![0]!,
})
