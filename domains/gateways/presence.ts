import { LRUCache } from 'lru-cache'
import type { Json } from '#kit/server/shared/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { publishChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/services.ts'
import { raiseEvent } from '#domains/events/doors.ts'
import { shopWasSeen } from '#domains/shops/doors.ts'
import type { Hello, Link } from './command.ts'
import { clockOffsetOf, isWrongAbout, tellClockError } from './device-clock.ts'
import { deviceLink } from './device-link.resource.ts'
import { heardBy } from './heard.ts'

/** Without a word for so long a device counts as offline: three heartbeats. */
export const SILENT_MS = 90_000
const KNOWN_MS = 10_000
const PARTS_MAX = 1000

type Beat = { link: Link; health: Record<string, unknown>; offsetMs: number | null; at: number }

type Memory = {
  services: Services
  /** Links by tenant and number, for a moment. */
  known: LRUCache<string, Link>
  /** The last heartbeat of each device since the last flush, and who was heard of at all. */
  beats: Map<string, Beat>
  heard: Map<string, { link: Link; at: number }>
  /** The last starts of each device. */
  boots: LRUCache<string, string[]>
  /** Parts of long answers. */
  parts: LRUCache<string, Record<string, Json>[]>
}

/** What the listening process knows of the devices; what it knows alone is known again after their next word. */
export type Presence = ReturnType<typeof createPresence>

export function createPresence(services: Services) {
  const memory: Memory = {
    services,
    known: new LRUCache({ max: 20_000, ttl: KNOWN_MS }),
    beats: new Map(),
    heard: new Map(),
    boots: new LRUCache({ max: 20_000 }),
    parts: new LRUCache({ max: 200 }),
  }
  const now = () => services.now().getTime()
  return {
    /** A device of this number in this tenant. */
    linkOf: (tenantId: string, clientId: string) => linkOf(memory, tenantId, clientId),
    heardOf: (link: Link) => void memory.heard.set(link.id, { link, at: now() }),
    /** A heartbeat: kept until the next flush, the last of each device alone. */
    beat: (link: Link, { ts, ...health }: Record<string, unknown>, { isLate = false } = {}) => {
      const isMeasured = !isLate && typeof ts === 'number' && Number.isFinite(ts)
      const offsetMs = isMeasured ? clockOffsetOf(ts, now()) : null
      memory.beats.set(link.id, { link, health, offsetMs, at: now() })
    },
    /** Writes what was heard since the last time, one statement for all. */
    flush: () => flush(memory),
    came: (db: Db, link: Link, connId: string, { isNow }: { isNow: boolean }) => {
      memory.known.delete(keyOf(link))
      return move(services, db, link.id, 'online', { connId, isNow })
    },
    /** Only the connection that holds the line can end it. */
    went: async (db: Db, id: string, connId: string) => {
      const link = await db.get(deviceLink, id, 'lock')
      if (link?.conn === connId) await move(services, db, id, 'offline', {})
    },
    greeted: (db: Db, was: Link, hello: Hello, offsetMs: number) => greeted(memory, db, was, { hello, offsetMs }),
    reported: (db: Db, id: string, message: Record<string, unknown>, { isNow }: { isNow: boolean }) => {
      const at = services.now().toISOString()
      return db.run(sql`update device_link set reported = ${JSON.stringify(message)},
          last_seen_time = case when ${isNow} then ${at}::timestamptz else last_seen_time end
        where tenant_id = ${db.tenantId} and id = ${id}`)
    },
    /** The parts of a long answer, put together; undefined until all are there. */
    assemble: (id: string, answer: Record<string, any>) => assemble(memory, id, answer),
    /**
     * The process that listens has changed, or has just begun: nobody is known to be there until they speak. Whoever
     * does not within the time of silence is offline.
     */
    begin: async () => {
      memory.known.clear()
      await services.unit({ across: 'who listens to the devices has just begun' }, (db) =>
        db.run(sql`update device_link set state = 'unknown', state_time = ${services.now().toISOString()}
          where state = 'online'`),
      )
    },
    /** Devices silent for too long are offline. */
    sweep: () => sweep(services),
  }
}

const keyOf = ({ tenantId, clientId }: { tenantId: string | null; clientId: string | null }) =>
  `${tenantId}/${clientId}`

async function linkOf({ services, known }: Memory, tenantId: string, clientId: string): Promise<Link | undefined> {
  const hit = known.get(keyOf({ tenantId, clientId }))
  if (hit) return hit
  if (!/^[\w-]{1,32}$/.test(tenantId)) return undefined
  const [link] = await services.unit({ tenantId }, (db) => db.find(deviceLink, sql`r.client_id = ${clientId}`))
  if (link) known.set(keyOf(link), link)
  return link
}

async function greeted(
  { services, boots, known }: Memory,
  db: Db,
  was: Link,
  { hello, offsetMs }: { hello: Hello; offsetMs: number },
): Promise<void> {
  const seenBoots = boots.get(was.id) ?? (was.boot ? [was.boot] : [])
  if (seenBoots.at(-1) !== hello.bootId) {
    // A start that had been replaced by another one comes back: two machines hold one secret.
    if (seenBoots.includes(hello.bootId)) await raiseTwin(db, was)
    boots.set(was.id, [...seenBoots.filter((one) => one !== hello.bootId), hello.bootId].slice(-8))
  }
  await move(services, db, was.id, 'online', { connId: hello.connId, isNow: true })
  const row = await db.update(deviceLink, was.id, {
    boot: hello.bootId,
    firmware: hello.fw || was.firmware,
    hardware: hello.hw ?? was.hardware,
    ip: hello.ip ?? was.ip,
    clockOffset: offsetMs,
  })
  publishChanged({ db }, deviceLink, [row])
  known.delete(keyOf(was))
  if (was.kind === 'gateway') await shopWasSeen(db, was.shopId!, services)
}

function assemble(
  { parts }: Memory,
  id: string,
  { data, part, parts: count }: Record<string, any>,
): { data: Json } | undefined {
  if (!Number.isInteger(count) || count <= 1) return { data: (data ?? null) as Json }
  if (!Number.isInteger(part) || part < 1 || part > count || count > PARTS_MAX) return undefined
  const got = parts.get(id) ?? []
  got[part - 1] = typeof data === 'object' && data !== null ? data : {}
  parts.set(id, got)
  if (Object.keys(got).length < count) return undefined
  parts.delete(id)
  // Its lists come in pieces; what is no list is the same in each.
  const listed = (key: string) => got.flatMap((piece) => (Array.isArray(piece[key]) ? piece[key] : []))
  const last = got.at(-1)!
  return {
    data: Object.fromEntries(
      Object.entries(last).map(([key, value]) => [key, Array.isArray(value) ? listed(key) : value]),
    ),
  }
}

async function raiseTwin(db: Db, link: Link): Promise<void> {
  await raiseEvent(db, {
    shopId: link.shopId!,
    type: 'deviceTwin',
    subject: `link/${link.id}`,
    content: {
      zh: `编号 ${link.clientId} 有两台设备在使用，请更换密钥`,
      en: `Two devices sign in as ${link.clientId}: give it a new secret`,
    },
  })
}

/** A device comes or goes: told to rooms and browsers when that is news. */
async function move(
  services: Services,
  db: Db,
  id: string,
  to: 'online' | 'offline',
  { connId, isNow = true }: { connId?: string; isNow?: boolean },
): Promise<void> {
  const was = await db.get(deviceLink, id, 'lock')
  if (!was) return
  const at = services.now()
  await db.run(sql`update device_link set state = ${to}, conn = coalesce(${connId ?? null}, conn),
      state_time = case when state = ${to} then state_time else ${at.toISOString()}::timestamptz end,
      last_seen_time = case when ${isNow && to === 'online'} then ${at.toISOString()}::timestamptz
        else last_seen_time end
    where tenant_id = ${db.tenantId} and id = ${id}`)
  if (was.state === to) return
  const link = (await db.get(deviceLink, id))!
  publishChanged({ db }, deviceLink, [link])
  for (const hear of heardBy.links) await hear({ db, services, link, data: { was: was.state ?? '', now: to }, at })
}

async function flush({ services, beats, heard, known }: Memory): Promise<void> {
  for (const { link, at } of beats.values()) heard.set(link.id, { link, at })
  if (!heard.size) return
  const rows = [...heard.values()].map(({ link, at }) => {
    const beat = beats.get(link.id)
    return {
      id: link.id,
      tenant_id: link.tenantId,
      at: new Date(at).toISOString(),
      health: beat?.health ?? null,
      offset: beat?.offsetMs ?? null,
    }
  })
  const wrong = [...beats.values()].filter(
    ({ link, offsetMs }) => offsetMs !== null && isWrongAbout(offsetMs, link.clockOffset),
  )
  beats.clear()
  heard.clear()
  const back = await services.unit({ across: 'heartbeats of the devices of all tenants' }, async (db) => {
    const told = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n(id bigint, tenant_id text, at timestamptz, health jsonb, "offset" int)`
    await db.run(sql`update basic_shop_info b set last_seen_time = n.at from ${told}
      where b.tenant_id = n.tenant_id and b.id = n.id
      and (b.last_seen_time is null or b.last_seen_time < n.at - interval '45 seconds')`)
    return db.query<{ id: string; tenantId: string }>(sql`update device_link l set
        last_seen_time = greatest(l.last_seen_time, n.at), health = coalesce(n.health, l.health),
        clock_offset = coalesce(n."offset", l.clock_offset) from ${told}
      where l.tenant_id = n.tenant_id and l.id = n.id
      returning case when l.state <> 'online' and n.at >= coalesce(l.state_time, '-infinity') then l.id end as id,
        l.tenant_id`)
  })
  // Whoever beats is there, also when its word of coming was lost; but not by what it said before it went.
  for (const { id, tenantId } of back)
    if (id) await services.unit({ tenantId }, (db) => move(services, db, id, 'online', {}))
  for (const { link, offsetMs } of wrong) {
    known.delete(keyOf(link))
    await tellClockError(services, { tenantId: link.tenantId, clientId: link.clientId! }, offsetMs!)
  }
}

async function sweep(services: Services): Promise<void> {
  const limit = new Date(services.now().getTime() - SILENT_MS).toISOString()
  const silent = await services.unit({ across: 'devices of all tenants that fell silent' }, (db) =>
    db.query<{ id: string; tenantId: string }>(sql`select id, tenant_id from device_link
      where state in ('online', 'unknown') and state_time < ${limit}
      and (last_seen_time is null or last_seen_time < ${limit}) order by id limit 5000`),
  )
  for (const { id, tenantId } of silent)
    await services.unit({ tenantId }, (db) => move(services, db, id, 'offline', {}))
}
