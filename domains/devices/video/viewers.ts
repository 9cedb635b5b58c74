/**
 * The viewers and talkers of this process, which are disconnected at once when their permission ends. The limits count
 * all processes: each publishes its counts regularly, and counts of a silent one are forgotten.
 */

import { randomUUID } from 'node:crypto'
import type { Services } from '#kit/server/module/services.ts'
import { permissionsChangedChannel, type AffectedCallers } from '#kit/server/request/authenticate.ts'
import { Refused } from '#kit/server/base/refused.ts'
import './refusals.ts'

export type StreamViewer = {
  /** Tenant of the camera. */
  tenantId: string
  /** Tenant the viewer signed in to, another one for platform administrators. */
  ofTenant: string
  userId: string
  sessionId: string
  cameraId: string
  end: () => void
}

const all = new WeakMap<Services, Set<StreamViewer>>()

export const streamViewersOf = (services: Services): Set<StreamViewer> =>
  all.get(services) ?? all.set(services, new Set()).get(services)!

/** Largest number of streams at a time over all processes, for one session and for one tenant. */
const VIEWERS_MAX = { session: 18, tenant: 300 }

const READERS_CHANNEL = 'video.readers'
const REPUBLISH_MS = 15_000
/** Counts of a process that has published nothing for so long are dropped. */
const FORGOTTEN_MS = 3 * REPUBLISH_MS

/** Number of streams in another process, by session. */
type Counts = Record<string, number>
type ViewerCounts = { process: string; tenantId: string; sessions: Counts }
type Elsewhere = { id: string; counts: Map<string, ViewerCounts & { until: number }>; waiting: Set<string> }

const elsewhere = new WeakMap<Services, Elsewhere>()
const elsewhereOf = (services: Services): Elsewhere =>
  elsewhere.get(services) ??
  elsewhere.set(services, { id: randomUUID(), counts: new Map(), waiting: new Set() }).get(services)!

/** Publishes this process's counts of one tenant, once for all changes at the same moment. */
function sayCounts(services: Services, tenantId: string): void {
  const { id, waiting } = elsewhereOf(services)
  if (waiting.has(tenantId)) return
  waiting.add(tenantId)
  setImmediate(() => {
    waiting.delete(tenantId)
    const sessions: Counts = {}
    for (const one of streamViewersOf(services))
      if (one.tenantId === tenantId) sessions[one.sessionId] = (sessions[one.sessionId] ?? 0) + 1
    services.shared.publish(READERS_CHANNEL, { process: id, tenantId, sessions }).catch((err: unknown) => {
      services.log.warn({ err }, 'other processes do not hear who watches')
    })
  })
}

function applyViewerCounts(services: Services, received: ViewerCounts): void {
  const mine = elsewhereOf(services)
  if (received.process === mine.id) return
  const key = `${received.process}/${received.tenantId}`
  if (!Object.keys(received.sessions).length) mine.counts.delete(key)
  else mine.counts.set(key, { ...received, until: services.now().getTime() + FORGOTTEN_MS })
}

/** Refuses when the session or tenant has reached its limit of streams. */
export function requireBelowStreamViewerLimit(
  services: Services,
  { tenantId, sessionId }: Pick<StreamViewer, 'tenantId' | 'sessionId'>,
): void {
  const { counts } = elsewhereOf(services)
  const count = { session: 0, tenant: 0 }
  for (const one of streamViewersOf(services))
    if (one.tenantId === tenantId) {
      count.tenant++
      if (one.sessionId === sessionId) count.session++
    }
  for (const [key, one] of counts)
    if (one.until < services.now().getTime()) counts.delete(key)
    else if (one.tenantId === tenantId) {
      for (const more of Object.values(one.sessions)) count.tenant += more
      count.session += one.sessions[sessionId] ?? 0
    }
  const { session, tenant } = VIEWERS_MAX
  if (count.tenant >= tenant) throw new Refused('camera_watchers', { max: tenant })
  if (count.session >= session) throw new Refused('camera_watchers', { max: session })
}

/** Registers a viewer. Returns a function that removes it. */
export function addStreamViewer(services: Services, reader: StreamViewer): () => void {
  const readers = streamViewersOf(services)
  readers.add(reader)
  sayCounts(services, reader.tenantId)
  return () => {
    if (readers.delete(reader)) sayCounts(services, reader.tenantId)
  }
}

/** Exchanges viewer counts with the other processes. Returns a function that ends it. */
async function countTogether(services: Services): Promise<() => void> {
  const leave = await services.shared.subscribe(READERS_CHANNEL, (message) =>
    applyViewerCounts(services, message as ViewerCounts),
  )
  const again = setInterval(() => {
    for (const tenantId of new Set([...streamViewersOf(services)].map((one) => one.tenantId)))
      sayCounts(services, tenantId)
  }, REPUBLISH_MS).unref()
  return () => {
    clearInterval(again)
    leave()
  }
}

const ENDED_LOOK_MS = 60_000

/** Disconnects viewers whose session has expired, which causes no event. */
export async function dropEndedViewers(services: Services): Promise<void> {
  const viewers = [...streamViewersOf(services)]
  const open = await services.access.openSessions(viewers.map((one) => ({ ...one, tenantId: one.ofTenant })))
  for (const one of viewers) if (!open.has(one.sessionId)) one.end()
}

/** Disconnects viewers whose permissions have changed. Their browsers connect again with what they may see now. */
export async function dropRevokedViewers(services: Services): Promise<() => Promise<void>> {
  const drop = (isMeant: (reader: StreamViewer) => boolean) => {
    for (const reader of streamViewersOf(services)) if (isMeant(reader)) reader.end()
  }
  const leave = await services.shared.subscribe(
    permissionsChangedChannel,
    (message) => {
      const { userIds, sessionIds, roleIds, tenantIds, everybody } = (message ?? {}) as AffectedCallers
      const isForAll = everybody === true || roleIds !== undefined
      drop(
        (one) =>
          isForAll ||
          userIds?.includes(one.userId) === true ||
          sessionIds?.includes(one.sessionId) === true ||
          tenantIds?.includes(one.ofTenant) === true,
      )
    },
    () => drop(() => true),
  )
  const alone = await countTogether(services)
  const look = setInterval(() => {
    dropEndedViewers(services).catch((err: unknown) =>
      services.log.warn({ err }, 'Sessions of those who watch could not be looked up'),
    )
  }, ENDED_LOOK_MS).unref()
  return async () => {
    clearInterval(look)
    alone()
    leave()
    drop(() => true)
  }
}
