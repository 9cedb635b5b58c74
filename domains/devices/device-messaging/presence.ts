import { LRUCache } from 'lru-cache'
import type { Json } from '#kit/server/shared/index.ts'
import { empty, type Sql } from 'sql-template-tag'
import { readBatch, sql, type Db } from '#kit/server/database/db.ts'
import { resourceColumnsSql } from '#kit/server/database/row-sql.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { raiseEvent } from '#domains/shops/shop-events/api.ts'
import { recordShopSeen } from '#domains/shops/shops/api.ts'
import type { DeviceHello, DeviceLink } from './command.ts'
import {
  computeClockOffsetMs,
  isValidTimestampMs,
  isKnownClockOffsetOutdated,
  sendClockErrorToDevice,
} from './device-clock.ts'
import { deviceLink } from './device-link.resource.ts'
import { sanitizeDeviceHealth } from './health.ts'
import { deviceHandlers } from './device-handlers.ts'
import { enableAsyncCommit } from './command-transition.ts'

/** A device counts as offline after so long without a message: three missed heartbeats. */
export const DEVICE_SILENT_MS = 90_000
const KNOWN_MS = 300_000
const PARTS_MAX = 1000
/** Largest total size in characters of one answer that comes in parts. */
const ANSWER_CHARS = 1_048_576
/** Largest total size of all answers that are not complete yet. */
const ANSWERS_CHARS = 64 * ANSWER_CHARS
const ANSWER_MS = 600_000

/** Why a device is offline: the keys of `link_end`. */
export type LinkEndReason = 'lost' | 'silent' | 'left' | 'restart'

type Heartbeat = { link: DeviceLink; health: Record<string, unknown>; offsetMs: number | null; at: number }

type Parts = { got: Record<string, Json>[]; chars: number }

type Memory = {
  services: Services
  /** Device links by `tenant/client`, cached for some minutes. */
  known: LRUCache<string, DeviceLink>
  /** The key in `known` of each link, by link id. */
  keys: LRUCache<string, string>
  /** The last heartbeat of each device since the last flush. */
  beats: Map<string, Heartbeat>
  /** Devices that sent anything since the last flush. */
  heard: Map<string, { link: DeviceLink; at: number }>
  /** The last boot ids of each device. */
  boots: LRUCache<string, string[]>
  /** Parts of long answers, by command id. */
  parts: LRUCache<string, Parts>
}

/**
 * What the listening process keeps in memory about devices. After a restart, it learns it again from their next
 * messages.
 */
export type DevicePresence = ReturnType<typeof createDevicePresence>

export function createDevicePresence(services: Services) {
  const memory: Memory = {
    services,
    known: new LRUCache({ max: 20_000, ttl: KNOWN_MS }),
    keys: new LRUCache({ max: 20_000 }),
    beats: new Map(),
    heard: new Map(),
    boots: new LRUCache({ max: 20_000 }),
    parts: new LRUCache({ maxSize: ANSWERS_CHARS, sizeCalculation: ({ chars }) => chars, ttl: ANSWER_MS }),
  }

  const now = () => services.now().getTime()
  evictChangedLinks(memory)

  return {
    /**
     * Returns a device link, from the cache unless `isFresh` (when a device connects). A device whose number or secret
     * changed has to connect again.
     */
    linkOf: (tenantId: string, clientId: string, { isFresh = false } = {}) =>
      linkOf(memory, { tenantId, clientId }, isFresh),
    heardOf: (link: DeviceLink) => void memory.heard.set(link.id, { link, at: now() }),
    /** Keeps a heartbeat until the next flush, only the last of each device. */
    beat: (link: DeviceLink, health: Record<string, unknown>, { isLate = false, at = now() } = {}) => {
      const { ts } = health
      const offsetMs = !isLate && isValidTimestampMs(ts) ? computeClockOffsetMs(ts, at) : null
      memory.beats.set(link.id, { link, health: sanitizeDeviceHealth(health), offsetMs, at })
    },
    /** Writes what was received since the last flush, with one statement for all devices. */
    flush: () => flush(memory),
    came: (db: Db, link: DeviceLink, connId: string, { isNow }: { isNow: boolean }) =>
      move(services, db, link.id, 'online', { connId, isNow, by: link.clientId }),
    /** Only the current connection (`of`) can set the device offline. */
    went: (db: Db, id: string, of: string, why: LinkEndReason) => move(services, db, id, 'offline', { of, why }),
    greeted: (db: Db, was: DeviceLink, hello: DeviceHello, offsetMs: number) =>
      greeted(memory, db, was, { hello, offsetMs }),
    reported: (db: Db, { id, clientId }: DeviceLink, message: object, { isNow }: { isNow: boolean }) => {
      const at = services.now().toISOString()
      return db.run(sql`update device_link set reported = ${JSON.stringify(message)},
          last_seen_time = case when ${isNow} then ${at}::timestamptz else last_seen_time end
        where tenant_id = ${db.tenantId} and id = ${id} and client_id = ${clientId}`)
    },
    /** Collects the parts of a long answer. Returns the whole answer once all parts are there, else undefined. */
    assemble: (id: string, answer: Record<string, any>) => assemble(memory, id, answer),
    /**
     * Called when this process begins to listen. Online devices become unknown until their next message; those that
     * stay silent become offline.
     */
    begin: async () => {
      memory.known.clear()
      await services.unit({ crossTenantReason: 'who listens to the devices has just begun' }, (db) =>
        db.run(sql`update device_link set state = 'unknown', state_time = ${services.now().toISOString()}
          where state = 'online'`),
      )
    },
    /** Sets devices offline that have been silent for too long. */
    sweep: () => sweep(services),
  }
}

/**
 * Removes links from the cache when a row with the same id changes. A link has the id of its shop, power gateway or
 * register.
 */
function evictChangedLinks({ services, known, keys }: Memory): void {
  services.live.on('*', ({ topic, data: { ids } }) => {
    if (topic === `${deviceLink.name}.changed` || !Array.isArray(ids)) return
    for (const id of ids) known.delete(keys.get(String(id)) ?? '')
  })
}

const keyOf = ({ tenantId, clientId }: { tenantId: string | null; clientId: string | null }) =>
  `${tenantId}/${clientId}`

type DeviceAddress = { tenantId: string; clientId: string }

async function linkOf(
  { services, known, keys }: Memory,
  named: DeviceAddress,
  isFresh: boolean,
): Promise<DeviceLink | undefined> {
  const { tenantId, clientId } = named
  const hit = isFresh ? undefined : known.get(keyOf(named))
  if (hit) return hit
  if (!/^[\w-]{1,32}$/.test(tenantId)) return undefined
  const [rows] = await readBatch(services.pool, { tenantId }, [
    sql`select ${resourceColumnsSql(deviceLink)} from device_link r
      where r.tenant_id = ${tenantId} and r.client_id = ${clientId}`,
  ])
  const [link] = rows as DeviceLink[]
  if (!link) known.delete(keyOf(named))
  else {
    known.set(keyOf(link), link)
    keys.set(link.id, keyOf(link))
  }
  return link
}

async function greeted(
  { services, boots, known }: Memory,
  db: Db,
  was: DeviceLink,
  { hello, offsetMs }: { hello: DeviceHello; offsetMs: number },
): Promise<void> {
  const seenBoots = boots.get(was.id) ?? (was.boot ? [was.boot] : [])
  if (seenBoots.at(-1) !== hello.bootId) {
    // An earlier boot id returns: two machines use the same secret.
    if (seenBoots.includes(hello.bootId)) await raiseTwin(db, was)
    boots.set(was.id, [...seenBoots.filter((one) => one !== hello.bootId), hello.bootId].slice(-8))
  }
  if (was.kind === 'gateway') db.waitUntil(recordShopSeen(db, was.shopId!, services))
  const helloColumns = sql`boot = ${hello.bootId}, firmware = ${hello.fw || was.firmware},
    hardware = ${hello.hw ?? was.hardware}, ip = ${hello.ip ?? was.ip}, clock_offset = ${offsetMs},
    update_time = now(), version = r.version + 1,`
  await move(services, db, was.id, 'online', { connId: hello.connId, columns: helloColumns })
  known.delete(keyOf(was))
}

function assemble(
  { parts }: Memory,
  id: string,
  { data, part, parts: count }: Record<string, any>,
): { data: Json } | undefined {
  if (!Number.isInteger(count) || count <= 1) return { data: (data ?? null) as Json }
  if (!Number.isInteger(part) || part < 1 || part > count || count > PARTS_MAX) return undefined
  const piece = typeof data === 'object' && data !== null ? data : {}
  const { got, chars } = parts.get(id) ?? { got: [], chars: 0 }
  const size = chars + JSON.stringify(piece).length
  // Longer than an answer may be: it is dropped and the command times out.
  if (size > ANSWER_CHARS) return undefined
  got[part - 1] = piece
  parts.set(id, { got, chars: size })
  if (Object.keys(got).length < count) return undefined
  parts.delete(id)
  // Lists are joined from all parts; other fields are the same in each.
  const listed = (key: string) => got.flatMap((piece) => (Array.isArray(piece[key]) ? piece[key] : []))
  const last = got.at(-1)!
  return {
    data: Object.fromEntries(
      Object.entries(last).map(([key, value]) => [key, Array.isArray(value) ? listed(key) : value]),
    ),
  }
}

async function raiseTwin(db: Db, link: DeviceLink): Promise<void> {
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

type Move = {
  connId?: string
  /** Applies only while this is the current connection. */
  of?: string
  /** Applies only while the link has this device number. */
  by?: string | null
  isNow?: boolean
  /** Why it went offline. */
  why?: LinkEndReason
  /** Further columns to set, as SQL ending in a comma. */
  columns?: Sql
}

/**
 * Sets a device online or offline. Notifies browsers when that or its details change, and modules when its state
 * changes.
 */
async function move(
  services: Services,
  db: Db,
  id: string,
  to: 'online' | 'offline',
  { connId, of, by, isNow = true, why, columns = empty }: Move,
): Promise<void> {
  const at = services.now()
  const isSeen = isNow && to === 'online'
  const row = await db.one<DeviceLink & { was: string | null }>(sql`update device_link r set ${columns} state = ${to},
      end_reason = ${why ?? null},
      conn = coalesce(${connId ?? null}, r.conn),
      state_time = case when r.state = ${to} then r.state_time else ${at.toISOString()}::timestamptz end,
      last_seen_time = case when ${isSeen} then ${at.toISOString()}::timestamptz else r.last_seen_time end
    from (select tenant_id, id, state from device_link where tenant_id = ${db.tenantId} and id = ${id} for update) o
    where r.tenant_id = o.tenant_id and r.id = o.id and (${of ?? null}::text is null or r.conn = ${of ?? null})
      and (${by ?? null}::text is null or r.client_id = ${by ?? null})
    returning ${resourceColumnsSql(deviceLink)}, o.state as "was"`)
  if (!row) return
  const { was, ...link } = row
  if (was !== to || columns !== empty) publishRowsChanged({ db }, deviceLink, [link])
  if (was === to) return
  const news = { was: was ?? '', now: to }
  for (const handle of deviceHandlers.links) await handle({ db, services, link, data: news, at })
}

async function flush({ services, beats, heard, known }: Memory): Promise<void> {
  for (const { link, at } of beats.values()) heard.set(link.id, { link, at })
  if (!heard.size) return

  const rows = [...heard.values()].map(({ link, at }) => {
    const heartbeat = beats.get(link.id)
    return {
      id: link.id,
      tenant_id: link.tenantId,
      client_id: link.clientId,
      at: new Date(at).toISOString(),
      health: heartbeat?.health ?? null,
      offset: heartbeat?.offsetMs ?? null,
    }
  })
  const wrong = [...beats.values()].filter(
    ({ link, offsetMs }) => offsetMs !== null && isKnownClockOffsetOutdated(offsetMs, link.clockOffset),
  )

  beats.clear()
  heard.clear()

  const back = await services.unit({ crossTenantReason: 'heartbeats of the devices of all tenants' }, async (db) => {
    enableAsyncCommit(db)
    const heartbeatRows = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n(id bigint, tenant_id text, client_id text, at timestamptz, health jsonb, "offset" bigint)`
    // Updates links before shops, the order a hello uses, to avoid a deadlock.
    const lines = await db.query<{ id: string; tenantId: string }>(sql`update device_link l set
        last_seen_time = greatest(l.last_seen_time, n.at), health = coalesce(n.health, l.health),
        clock_offset = coalesce(n."offset", l.clock_offset) from ${heartbeatRows}
      where l.tenant_id = n.tenant_id and l.id = n.id and l.client_id = n.client_id
      returning case when l.state <> 'online' and n.at >= coalesce(l.state_time, '-infinity') then l.id end as id,
        l.tenant_id`)
    await db.run(sql`update basic_shop_info b set last_seen_time = n.at from ${heartbeatRows}
      where b.tenant_id = n.tenant_id and b.id = n.id and b.client_id = n.client_id
      and (b.last_seen_time is null or b.last_seen_time < n.at - interval '45 seconds')`)
    return lines
  })

  // A device that sends heartbeats is online even when its message of connecting was lost, unless the heartbeat is
  // older than its going offline.
  for (const { id, tenantId } of back) if (id) await moveAlone(services, { id, tenantId }, 'online')
  for (const { link, offsetMs } of wrong) {
    known.delete(keyOf(link))
    await sendClockErrorToDevice(services, { tenantId: link.tenantId, clientId: link.clientId! }, offsetMs!)
  }
}

async function sweep(services: Services): Promise<void> {
  const limit = new Date(services.now().getTime() - DEVICE_SILENT_MS).toISOString()
  const silent = await services.unit({ crossTenantReason: 'devices of all tenants that fell silent' }, (db) =>
    db.query<{ id: string; tenantId: string }>(sql`select id, tenant_id from device_link
      where state in ('online', 'unknown') and state_time < ${limit}
      and (last_seen_time is null or last_seen_time < ${limit}) order by id limit 5000`),
  )
  for (const one of silent) await moveAlone(services, one, 'offline', 'silent')
}

/** Sets one of many devices online or offline. An error is logged and does not hold up the others. */
const moveAlone = (
  services: Services,
  { id, tenantId }: { id: string; tenantId: string },
  to: 'online' | 'offline',
  why?: LinkEndReason,
): Promise<void> =>
  services
    .unit({ tenantId }, (db) => move(services, db, id, to, { why }))
    .catch((err: unknown) => services.log.warn({ err, link: id }, `A device could not be said to be ${to}`))
