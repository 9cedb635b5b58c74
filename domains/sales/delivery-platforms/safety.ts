import { fillLocalizedText } from '#kit/base/localized-text.ts'
import { raw, sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import type { Services } from '#kit/server/module/services.ts'
import { toSqlName } from '#kit/resource/define-resource.ts'
import { paramNumber, paramValue } from '#domains/platform/system/api.ts'
import { SYNC_STATE } from './dictionaries.ts'
import { safetyQueue } from './follow-events.ts'
import { GOODS_IN_STOCK_MIN_PARAM, UNSAFE_EVENTS_PARAM, UNSAFE_MINUTES_PARAM } from './params.ts'
import { platformsOf, type Platform } from './platform.ts'
import { repushOpenState } from './platform-links.ts'

const WORDS_MAX = 500

type Danger = { zh: string; en: string }
type Limits = { types: string[]; before: string; least: number }
/** A shop at a platform with its open dangerous events and how many of its products can be bought there. */
type PlatformShopSafety = {
  id: string
  shopId: string
  mayPause: boolean
  isPaused: boolean
  why: string | null
  isOpenThere: boolean
  events: Danger[]
  listed: number
  inStock: number
}

async function limitsOf(services: Services): Promise<Limits> {
  const [types, minutes, least] = await Promise.all([
    paramValue(services, UNSAFE_EVENTS_PARAM),
    paramNumber(services, UNSAFE_MINUTES_PARAM),
    paramNumber(services, GOODS_IN_STOCK_MIN_PARAM),
  ])
  return {
    types: types.split(',').map((type) => type.trim()),
    // Without a delay every event counts, whatever the database's clock says.
    before: minutes ? new Date(services.now().getTime() - minutes * 60_000).toISOString() : 'infinity',
    least,
  }
}

/** Of offline events, only a whole shop or its power supply makes it unsafe. */
const IS_MEANT = sql`(e.type <> 'offline' or e.devices @? '$[*].key ? (@ == "shop" || @ starts with "epa")')`

const standings = (db: Db, { name, parity }: Platform, { types, before }: Limits): Promise<PlatformShopSafety[]> => {
  const open = raw(`p."${toSqlName(parity.shopOpen.key)}"`)
  return db.query<PlatformShopSafety>(sql`
    select p.id, p.shop_id, p.pauses_itself is not false as may_pause, p.paused_time is not null as is_paused,
      p.paused_why as why, p.sync_status = ${SYNC_STATE.done} and ${open} = ${parity.shopOpen.value} as is_open_there,
      coalesce((select jsonb_agg(jsonb_build_object('zh', e.content, 'en', coalesce(e.content_en, e.content))
          order by e.id) from shop_event e where e.tenant_id = p.tenant_id and e.shop_id = p.shop_id
        and e.open_key is not null and e.type = any(${types}) and e.occur_time <= ${before} and ${IS_MEANT}),
        '[]') as events,
      count(s.id)::int as listed,
      (count(s.id) filter (where s.stock > 0 and ${parity.isOnSale}))::int as in_stock
    from ${raw(`${name}_shop_info`)} p left join ${raw(`${name}_sku_info`)} s on s.tenant_id = p.tenant_id
      and s.${raw(`${name}_shop_id`)} = p.id and s.is_deleted = 0 and s.sync_status <> ${SYNC_STATE.not}
    where p.tenant_id = ${db.tenantId} and p.is_deleted = 0 and ${parity.isLetIn}
    group by p.tenant_id, p.id order by p.id`)
}

const tooFew = {
  zh: '有货的商品只有 {inStock} 种，少于 {least} 种',
  en: 'Only {inStock} {inStock|product is|products are} in stock, fewer than {least}',
}

function dangersOf({ events, listed, inStock, mayPause }: PlatformShopSafety, { least }: Limits): Danger[] {
  if (!mayPause) return []
  if (!listed || inStock >= least) return events
  return [...events, fillLocalizedText(tooFew, { inStock, least })]
}

/**
 * Pauses unsafe shops of a tenant at all platforms and opens them again when safe. Only marks our rows: the sync sends
 * the state until the platforms confirm it.
 */
async function judgeShops(db: Db, services: Services): Promise<void> {
  const limits = await limitsOf(services)
  for (const platform of platformsOf(services)) {
    const changed: { id: string; shopId: string }[] = []
    for (const one of await standings(db, platform, limits)) {
      const dangers = dangersOf(one, limits)
      const [zh, en] = [dangers.map((danger) => danger.zh).join('；'), dangers.map((danger) => danger.en).join('; ')]
      const why = zh.slice(0, WORDS_MAX) || null
      // Somebody opened it at the platform while it is unsafe: the pause is sent again.
      const isAgain = dangers.length > 0 && one.isPaused && one.isOpenThere
      if (why === one.why && !isAgain) continue
      const isTurned = one.isPaused !== dangers.length > 0 || isAgain
      await db.run(sql`update ${raw(`${platform.name}_shop_info`)} set paused_why = ${why},
        paused_why_en = ${en.slice(0, WORDS_MAX) || null},
        paused_time = case when ${dangers.length > 0} then coalesce(paused_time, ${services.now().toISOString()}) end
        where tenant_id = ${db.tenantId} and id = ${one.id}`)
      if (isTurned) await repushOpenState(db, platform.shop, one.id, services.now())
      changed.push(one)
    }
    if (changed.length) publishRowsChanged({ db }, platform.shop, changed)
  }
}

/** Runs when an event in a shop is raised or resolved. */
export const pauseUnsafeShopsJob = defineModuleJob({
  queue: safetyQueue,
  run: (_payload, { tenantId, services }) => services.unit({ tenantId }, (db) => judgeShops(db, services)),
})

/** Every minute: finds events that have now lasted long enough, and shops that sold out. */
export const pauseUnsafeShopsSweepJob = defineModuleJob({
  queue: defineQueue('platform.safetySweep'),
  cron: '* * * * *',
  run: (_payload, { services }) =>
    services.unit({ crossTenantReason: 'shops of all tenants that may be unsafe' }, async (all) => {
      const tenants = await all.query<{ tenantId: string }>(
        sql`select distinct tenant_id from third_api where status = 1 and has_secret and is_deleted = 0`,
      )
      for (const { tenantId } of tenants) await all.asTenant(tenantId, (db) => judgeShops(db, services))
    }),
})
