import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { parseParamNumber, type SystemParam } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'
import { onProcessBroadcast, broadcastToProcesses } from '#kit/server/shared/broadcast.ts'
import { DICTIONARY_CHANGED_TOPIC, REGION_CHANGED_TOPIC, type SystemLabelLookup } from './labels.ts'

export const PARAM_CHANGED_TOPIC = 'param.changed'

const params = new WeakMap<Services, LRUCache<string, { value: string | undefined }>>()

/** Returns the cached parameter values by key; any change clears the cache in all processes. */
function knownParams(services: Services) {
  let known = params.get(services)
  if (!known) {
    const cache = new LRUCache<string, { value: string | undefined }>({ max: 2000, ttl: 60_000 })
    known = cache
    params.set(services, cache)
    onProcessBroadcast(services, PARAM_CHANGED_TOPIC, () => cache.clear())
  }
  return known
}

/** Returns the current value of a system parameter, cached; its default when not set. */
export async function paramValue(services: Services, { key, value: fallback }: SystemParam): Promise<string> {
  const known = knownParams(services)
  const hit = known.get(key)
  if (hit) return hit.value ?? fallback
  const { rows } = await services.systemPool.query<{ value: string | null }>(
    'select param_value as value from sys_param where param_key = $1 and is_deleted = 0',
    [key],
  )
  const value = rows[0]?.value ?? undefined
  known.set(key, { value })
  return value ?? fallback
}

/** Returns the current value of a numeric parameter; its default when the stored text is no valid number. */
export const paramNumber = async (services: Services, param: SystemParam): Promise<number> =>
  parseParamNumber(param, await paramValue(services, param)) ?? Number(param.value)

/** Returns the values of numeric parameters as this transaction sees them, not cached. */
export async function readParamsInTransaction<const P extends readonly SystemParam[]>(
  db: Db,
  ...params: P
): Promise<{ [K in keyof P]: number }> {
  const rows = await db.query<{ key: string; value: string | null }>(
    sql`select param_key as key, param_value as value from sys_param
      where param_key = any(${params.map(({ key }) => key)}) and is_deleted = 0`,
  )
  return params.map(
    (param) => parseParamNumber(param, rows.find(({ key }) => key === param.key)?.value) ?? Number(param.value),
  ) as { [K in keyof P]: number }
}

/** Makes every process reload the parameters after the commit. */
export function publishParamsChanged(db: Db, services: Services): void {
  db.afterCommit(() => {
    knownParams(services).clear()
    return broadcastToProcesses(services, PARAM_CHANGED_TOPIC)
  })
}

/**
 * Makes every process and browser reload the dictionaries after the commit: of one tenant, or of all for a system
 * dictionary.
 */
export async function publishDictionariesChanged(db: Db, services: Services, tenantId?: string): Promise<void> {
  const message = (to: string) => JSON.stringify({ topic: DICTIONARY_CHANGED_TOPIC, tenantId: to, data: {} })
  if (tenantId) await db.run(sql`select pg_notify('live', ${message(tenantId)})`)
  else {
    await db.acrossTenants('every tenant reads the system dictionaries', (all) =>
      all.run(
        sql`select pg_notify('live', json_build_object('topic', ${DICTIONARY_CHANGED_TOPIC}::text, 'tenantId',
          tenant_id, 'data',
          '{}'::json)::text) from tenant where is_deleted = 0`,
      ),
    )
  }
  db.afterCommit(() => {
    ;(services.labels as SystemLabelLookup).renew('dictionaries')
    return broadcastToProcesses(services, DICTIONARY_CHANGED_TOPIC)
  })
}

export function publishRegionsChanged(db: Db, services: Services): void {
  db.afterCommit(() => {
    ;(services.labels as SystemLabelLookup).renew('regions')
    return broadcastToProcesses(services, REGION_CHANGED_TOPIC)
  })
}

/** Clears dictionaries, regions and parameters cached in all processes, for the "clear cache" buttons. */
export async function clearSystemCaches(services: Services): Promise<void> {
  const labels = services.labels as SystemLabelLookup
  labels.renew('dictionaries')
  labels.renew('regions')
  knownParams(services).clear()
  await Promise.all([
    services.shared.publish(DICTIONARY_CHANGED_TOPIC, 1),
    services.shared.publish(REGION_CHANGED_TOPIC, 1),
    services.shared.publish(PARAM_CHANGED_TOPIC, 1),
  ])
}
