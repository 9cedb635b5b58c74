import type { Services } from '#kit/server/services.ts'
import { accessChannel, type Affected } from '#kit/server/request/authenticate.ts'
import { Refused } from '#kit/server/refused.ts'
import './refusals.ts'

/** Who looks at a picture or talks just now, in this process; rights that end take the picture away at once. */

export type Reader = {
  tenantId: string
  userId: string
  sessionId: string
  cameraId: string
  end: () => void
}

const all = new WeakMap<Services, Set<Reader>>()

export const readersOf = (services: Services): Set<Reader> =>
  all.get(services) ?? all.set(services, new Set()).get(services)!

/** Pictures at a time: of one session, and of one tenant in one process. */
const READERS_MAX = { session: 18, tenant: 300 }

/** Refuses a picture too many. */
export function admitReader(services: Services, { tenantId, sessionId }: Pick<Reader, 'tenantId' | 'sessionId'>): void {
  const own = [...readersOf(services)].filter((one) => one.tenantId === tenantId)
  const { session, tenant } = READERS_MAX
  if (own.length >= tenant) throw new Refused('camera_watchers', { max: tenant })
  if (own.filter((one) => one.sessionId === sessionId).length >= session)
    throw new Refused('camera_watchers', { max: session })
}

/** Counts somebody in; answers how they leave. */
export function joinReaders(services: Services, reader: Reader): () => void {
  const readers = readersOf(services)
  readers.add(reader)
  return () => void readers.delete(reader)
}

/** Ends the pictures of whoever's rights changed: their browsers ask again, with the rights they have now. */
export async function followRights(services: Services): Promise<() => Promise<void>> {
  const drop = (isMeant: (reader: Reader) => boolean) => {
    for (const reader of readersOf(services)) if (isMeant(reader)) reader.end()
  }
  const leave = await services.shared.subscribe(
    accessChannel,
    (message) => {
      const { userIds, sessionIds, roleIds, everybody } = (message ?? {}) as Affected & { everybody?: true }
      const isForAll = everybody === true || roleIds !== undefined
      drop((one) => isForAll || userIds?.includes(one.userId) === true || sessionIds?.includes(one.sessionId) === true)
    },
    () => drop(() => true),
  )
  return async () => {
    leave()
    drop(() => true)
  }
}
