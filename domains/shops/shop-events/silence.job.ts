import { NAME_SEPARATOR, fillLocalizedText } from '#kit/base/localized-text.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { OFFLINE_AFTER_SECONDS } from '#domains/shops/shops/api.ts'
import { raiseEvent, updateOpenEvent, resolveEvents, notifyAfterPlannedWork } from './event.server.ts'
import { runSilenceChecks, type SilentSource } from './silence-checks.ts'

type Listed = { key: string; name: string; since: string }
type Open = { tenantId: string; shopId: string; devices: Listed[] | null }

const NAMED = 5
const LISTED = 500
/** Key of the shop itself among its silent sources. */
const SHOP = 'shop'

const momentOf = (since: number) => formatShanghaiTime(new Date(since)).slice(5, 16)

const devicesWords = { zh: '{count} 台设备失联：{zh}', en: '{count} {count|device|devices} unreachable: {en}' }

/** One sentence about everything silent in a shop. */
function sentenceOf(silent: readonly SilentSource[]): { zh: string; en: string } {
  const shop = silent.find(({ key }) => key === SHOP)
  const things = silent.filter(({ key }) => key !== SHOP)
  const names = things.slice(0, NAMED).map(({ name }) => name)
  const isMore = things.length > NAMED
  const { zh, en } = fillLocalizedText(devicesWords, {
    count: things.length,
    zh: `${names.join(NAME_SEPARATOR.zh)}${isMore ? ' 等' : ''}`,
    en: `${names.join(NAME_SEPARATOR.en)}${isMore ? ' …' : ''}`,
  })
  const since = momentOf(Math.min(...silent.map((one) => one.since)))
  if (!shop) return { zh: `${zh}，最早 ${since}`, en: `${en}, since ${since}` }
  const seen = momentOf(shop.since)
  return {
    zh: `门店失去联系，最后在线 ${seen}${things.length ? `；${zh}` : ''}`,
    en: `Nothing heard of the shop since ${seen}${things.length ? `; ${en}` : ''}`,
  }
}

const listOf = (silent: readonly SilentSource[]): Listed[] =>
  silent
    .filter(({ key }) => key !== SHOP)
    .slice(0, LISTED)
    .map(({ key, name, since }) => ({ key, name, since: formatShanghaiTime(new Date(since)) }))

const silentShops = (db: Db, limit: string) =>
  db.query<SilentSource>(sql`select tenant_id as "tenantId", id::text as "shopId", ${SHOP} as key, shop_name as name,
    (extract(epoch from last_seen_time) * 1000)::float8 as since, true as "isSure" from basic_shop_info
    where status = 1 and is_deleted = 0 and last_seen_time < ${limit} order by id`)

const openShops = async (db: Db, ids: readonly string[]) =>
  new Set(
    (
      await db.query<{ id: string }>(sql`select id::text from basic_shop_info
        where id = any(${[...new Set(ids)]}::bigint[]) and status = 1 and is_deleted = 0`)
    ).map(({ id }) => id),
  )

/**
 * Raises one `offline` event for an open shop with something silent for a while, lists all of it, updates the list, and
 * resolves the event when all are back. Sources that never reported count as never connected.
 */
export async function checkSilentSources(services: Services): Promise<void> {
  const limit = new Date(services.now().getTime() - OFFLINE_AFTER_SECONDS * 1000).toISOString()
  const [silent, open] = await services.unit(
    { crossTenantReason: 'what fell silent or came back in all shops' },
    async (db) => {
      const things = await runSilenceChecks(db, limit)
      const running = await openShops(
        db,
        things.map(({ shopId }) => shopId),
      )
      const known = await db.query<Open>(sql`select tenant_id as "tenantId", shop_id::text as "shopId", devices
      from shop_event where open_key = 'offline/' order by id`)
      return [
        [...(await silentShops(db, limit)), ...things.filter(({ shopId }) => running.has(shopId))],
        known,
      ] as const
    },
  )
  const opens = new Map(open.map((one) => [one.shopId, one]))
  const inShop = Map.groupBy(silent, ({ shopId }) => shopId)
  for (const shopId of new Set([...inShop.keys(), ...opens.keys()]))
    await updateSilenceEvent(services, shopId, inShop.get(shopId) ?? [], opens.get(shopId))
  await services.unit({ crossTenantReason: 'events of all tenants that outlast planned work' }, notifyAfterPlannedWork)
}

/** For this time in ms, a resolved event is not raised again while the same sources stay silent. */
const KNOWN_MS = 12 * 3_600_000

/** Whether all of it was already silent when somebody resolved the event, and has not been heard from since. */
async function isKnown(db: Db, shopId: string, silent: readonly SilentSource[], now: Date): Promise<boolean> {
  const last = await db.one<{ at: number | null }>(sql`
    select (extract(epoch from max(resolve_time)) * 1000)::float8 as at from shop_event
    where tenant_id = ${db.tenantId} and shop_id = ${shopId} and type = 'offline'
    and resolve_time > ${new Date(now.getTime() - KNOWN_MS).toISOString()}`)
  return !!last?.at && silent.every(({ since }) => since < last.at! - OFFLINE_AFTER_SECONDS * 1000)
}

async function updateSilenceEvent(
  services: Services,
  shopId: string,
  found: readonly SilentSource[],
  open?: Open,
): Promise<void> {
  const before = new Set((open?.devices ?? []).map(({ key }) => key))
  const silent = found.filter(({ key, isSure }) => isSure || before.has(key))
  const tenantId = open?.tenantId ?? silent[0]?.tenantId
  if (!tenantId) return
  const about = { shopId, type: 'offline' } as const
  if (!silent.length) return void (await services.unit({ tenantId }, (db) => resolveEvents(db, about)))
  const devices = listOf(silent)
  const content = sentenceOf(silent)
  const at = new Date(Math.min(...silent.map(({ since }) => since)))
  if (!open)
    return services.unit({ tenantId }, async (db) => {
      if (!(await isKnown(db, shopId, silent, services.now()))) await raiseEvent(db, { ...about, at, content, devices })
    })
  const isSame = before.size === devices.length && devices.every(({ key }) => before.has(key))
  if (!isSame) await services.unit({ tenantId }, (db) => updateOpenEvent(db, about, { ...content, devices }))
}

export const checkSilentSourcesJob = defineModuleJob({
  queue: defineQueue('shop.silence'),
  cron: '* * * * *',
  concurrency: 1,
  run: (_payload, { services }) => checkSilentSources(services),
})
