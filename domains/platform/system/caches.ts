import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import { numberOf, type Param } from '#kit/resource/index.ts'
import type { Db } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'
import { onBroadcast, broadcast } from '#kit/server/broadcast.ts'
import { dictionaryTopic, regionTopic, type SystemLabels } from './labels.ts'

export const paramTopic = 'param.changed'

const params = new WeakMap<Services, LRUCache<string, { value: string | undefined }>>()

/** Values of parameters by key, forgotten as soon as anybody changes one. */
function knownParams(services: Services) {
  let known = params.get(services)
  if (!known) {
    const cache = new LRUCache<string, { value: string | undefined }>({ max: 2000, ttl: 60_000 })
    known = cache
    params.set(services, cache)
    onBroadcast(services, paramTopic, () => cache.clear())
  }
  return known
}

/** What a system parameter says now. */
export async function paramValue(services: Services, { key, value: fallback }: Param): Promise<string> {
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

/** The number a parameter says now; its own where what somebody wrote is none. */
export const paramNumber = async (services: Services, param: Param): Promise<number> =>
  numberOf(param, await paramValue(services, param)) ?? Number(param.value)

/** The same, as the transaction sees them. */
export async function paramsIn<const P extends readonly Param[]>(
  db: Db,
  ...params: P
): Promise<{ [K in keyof P]: number }> {
  const rows = await db.query<{ key: string; value: string | null }>(
    sql`select param_key as key, param_value as value from sys_param
      where param_key = any(${params.map(({ key }) => key)}) and is_deleted = 0`,
  )
  return params.map(
    (param) => numberOf(param, rows.find(({ key }) => key === param.key)?.value) ?? Number(param.value),
  ) as { [K in keyof P]: number }
}

/** After commit: every process reads parameters anew. */
export function paramsChanged(db: Db, services: Services): void {
  db.afterCommit(() => {
    knownParams(services).clear()
    return broadcast(services, paramTopic)
  })
}

/** After commit: every process and every browser reads the words anew. A system dictionary concerns all tenants. */
export async function dictionariesChanged(db: Db, services: Services, tenantId?: string): Promise<void> {
  const message = (to: string) => JSON.stringify({ topic: dictionaryTopic, tenantId: to, data: {} })
  if (tenantId) await db.run(sql`select pg_notify('live', ${message(tenantId)})`)
  else {
    await db.acrossTenants('every tenant reads the system dictionaries', (all) =>
      all.run(
        sql`select pg_notify('live', json_build_object('topic', ${dictionaryTopic}::text, 'tenantId', tenant_id, 'data',
          '{}'::json)::text) from tenant where is_deleted = 0`,
      ),
    )
  }
  db.afterCommit(() => {
    ;(services.labels as SystemLabels).renew('dictionaries')
    return broadcast(services, dictionaryTopic)
  })
}

export function regionsChanged(db: Db, services: Services): void {
  db.afterCommit(() => {
    ;(services.labels as SystemLabels).renew('regions')
    return broadcast(services, regionTopic)
  })
}

/** What is held in memory is read anew, here and everywhere: the reset button of the screens. */
export async function clearSystemCaches(services: Services): Promise<void> {
  const labels = services.labels as SystemLabels
  labels.renew('dictionaries')
  labels.renew('regions')
  knownParams(services).clear()
  await Promise.all([
    services.shared.publish(dictionaryTopic, 1),
    services.shared.publish(regionTopic, 1),
    services.shared.publish(paramTopic, 1),
  ])
}
