import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import { VendorError } from '#domains/platform/external-apis/api.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import type { WechatAppCredentials } from './apps.ts'
import { fetchWechatAccessToken } from './wechat.client.ts'

/** A token is renewed this long before its end: WeChat then gives a new one while the old one stays valid. */
const BEFORE_END_MS = 300_000
/** Longer than a token request can take: a process that holds the lease longer has died. */
const LEASE_MS = 20_000
const LOOK_MS = 150

/** `endAt` and `leaseAt` are milliseconds since 1970. */
type Row = { token: string | null; endAt: number | null; leaseAt: number | null }
type Turn = { token: string } | { leaseNo: string; was: string | undefined } | undefined

/**
 * Returns the stored token, or takes the lease for requesting a new one; undefined while another process holds the
 * lease. `bad` is a token WeChat rejected.
 */
async function turnAt(db: Db, services: Services, app: WechatAppCredentials, bad: string | undefined): Promise<Turn> {
  const key = sql`tenant_id = ${db.tenantId} and app_id = ${app.id}`
  await db.run(sql`insert into wechat_token (tenant_id, app_id) values (${db.tenantId}, ${app.id})
    on conflict do nothing`)
  const row = (await db.one<Row>(sql`select access_token as token,
    (extract(epoch from end_time) * 1000)::float8 as end_at,
    (extract(epoch from lease_until) * 1000)::float8 as lease_at
    from wechat_token where ${key} for update`))!
  const now = services.now().getTime()
  const was = row.token ? secretCipherOf(services).open(row.token) : undefined
  const isGood = was !== undefined && was !== bad && (row.endAt ?? 0) - BEFORE_END_MS > now
  if (isGood) return { token: was }
  if ((row.leaseAt ?? 0) > now) return undefined
  const leaseNo = randomUUID()
  await db.run(sql`update wechat_token set lease_no = ${leaseNo},
    lease_until = ${new Date(now + LEASE_MS).toISOString()} where ${key}`)
  return { leaseNo, was }
}

/** Releases the lease and stores the new token; without one, the next process may request it. */
async function endTurn(
  services: Services,
  app: WechatAppCredentials,
  leaseNo: string,
  given?: { token: string; seconds: number },
): Promise<void> {
  const end = given && new Date(services.now().getTime() + given.seconds * 1_000).toISOString()
  await services.unit({ tenantId: app.tenantId }, (db) =>
    db.run(sql`update wechat_token set lease_until = null, lease_no = null,
      access_token = ${given ? secretCipherOf(services).seal(given.token) : sql`access_token`},
      end_time = ${end ?? sql`end_time`}
      where tenant_id = ${db.tenantId} and app_id = ${app.id} and lease_no = ${leaseNo}`),
  )
}

async function askInTurn(
  services: Services,
  app: WechatAppCredentials,
  leaseNo: string,
  bad?: string,
): Promise<string> {
  try {
    let given = await fetchWechatAccessToken(services, app, false)
    // An unforced request may return the rejected token again. A forced one invalidates all others, so it comes last.
    if (given.token === bad) given = await fetchWechatAccessToken(services, app, true)
    await endTurn(services, app, leaseNo, given)
    return given.token
  } catch (error) {
    await endTurn(services, app, leaseNo)
    throw error
  }
}

/**
 * Returns the access token of an app. It is kept encrypted in one row for all servers; before its end, or when WeChat
 * rejected `bad`, one process requests a new one while the others wait. Throws a `VendorError` when WeChat gives none
 * or the wait takes too long.
 */
export async function getWechatAccessToken(
  services: Services,
  app: WechatAppCredentials,
  bad?: string,
): Promise<string> {
  for (let waited = 0; waited < LEASE_MS; waited += LOOK_MS) {
    const turn = await services.unit({ tenantId: app.tenantId }, (db) => turnAt(db, services, app, bad))
    if (turn && 'token' in turn) return turn.token
    if (turn) return askInTurn(services, app, turn.leaseNo, bad)
    await pause(LOOK_MS)
  }
  const message = 'another server is asking for the token'
  throw new VendorError({ system: 'wechatMessage', code: 'token_awaited', message, isRetryable: true, isUndone: true })
}

/** Deletes the token of an app whose credentials or address have changed. */
export const deleteWechatAccessToken = (db: Db, appNo: string) =>
  db.run(sql`delete from wechat_token where tenant_id = ${db.tenantId} and app_id = ${appNo}`)
