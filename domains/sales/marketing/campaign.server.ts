import { hasBarcodeSql, normalizedBarcodeSql } from '#domains/catalogue/products/api.ts'
import { BarcodeMap } from '#domains/catalogue/products/index.ts'
import { empty, sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { invalidInputRefusal, invalidFieldRefusal, serve, type Call } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { parseShanghaiTime, formatShanghaiTime } from '#kit/server/base/time.ts'
import { requireTransition, transition } from '#kit/server/resource/transition.ts'
import { findBarcodesOfGoods } from './barcodes-of.ts'
import {
  parseCampaignRule,
  validateCampaignRule,
  campaignPromiseText,
  campaignRuleToWire,
  type BundleItem,
  type CampaignRule,
} from './campaign-rules.ts'
import { CAMPAIGN_STATE } from './dictionaries.ts'
import { discountConf } from './discount-conf.resource.ts'
import type { Campaign } from './offers.ts'
import { shopListScope } from './own-shops.ts'
import { createEmptySimulation, campaignSimulationToWire, type CampaignSimulation } from './simulation.ts'
import { updateShopResultsStatus, createCampaignShopResults } from './shop-results.ts'

export const campaignTagsQueue = defineQueue<{ id: string }>('campaign.tags')
export const campaignEndQueue = defineQueue<{ id: string }>('campaign.end')
export const campaignSimulationQueue = defineQueue<{ id: string; askedAt: string }>('campaign.rehearse')

const nowOf = (call: Call) => formatShanghaiTime(call.services.now())

/** Most campaigns that may run in a shop at the same time, so that pricing and tags stay manageable. */
const CAMPAIGNS_MAX = 100

async function requireFew(db: Db, { name, shopIds }: Campaign, now: string): Promise<void> {
  const found = await db.one<{ n: number }>(sql`select count(*)::int as n from discount_conf r
    where r.tenant_id = ${db.tenantId} and r.is_deleted = 0 and r.status = ${CAMPAIGN_STATE.published}
    and r.end_time > ${now}::timestamptz
    and (${!shopIds?.length} or coalesce(cardinality(r.shop_ids), 0) = 0 or r.shop_ids && ${shopIds ?? []}::bigint[])`)
  if (found!.n > CAMPAIGNS_MAX) throw new Refused('campaign_too_many', { name, max: CAMPAIGNS_MAX })
}

export const discountConfServer = serve(discountConf, {
  where: shopListScope.where,
  beforeSave: async (draft, was, call) => {
    if (was && was.status !== CAMPAIGN_STATE.draft) throw new Refused('campaign_frozen', { name: was.name })
    if (was) shopListScope.requireOwnRows([was], call)
    const row = { ...was, ...draft }
    if (row.endTime! <= row.startTime!)
      throw invalidFieldRefusal(discountConf, 'endTime', 'too_small', { min: row.startTime })
    const rule = await wholeRules(call, row)
    draft.rules = campaignRuleToWire(rule)
    if (rule.type === 'bundle' && rule.items.length) {
      // The products of a bundle are its scope.
      draft.upcs = rule.items.map((item) => item.upc)
      draft.goodIds = draft.goodTypeIds = null
    } else {
      draft.upcs = await findBarcodesOfGoods(call.db, row.goodIds)
    }
    // The simulation result belongs to the rule before this change.
    if (was?.rehearsal) draft.rehearsal = null
  },
  beforeRemove: (rows, call) => {
    shopListScope.requireOwnRows(rows, call)
    const kept = rows.find((row) => row.status !== CAMPAIGN_STATE.draft)
    if (kept) throw new Refused('campaign_not_removable', { name: kept.name })
  },
  present: (wire, rows, call) => {
    for (const [at, row] of rows.entries()) {
      const rule = parseCampaignRule(row.type, row.rules)
      if (row.rehearsal && wire[at]!.rehearsal !== undefined)
        wire[at]!.rehearsal = campaignSimulationToWire(row.rehearsal as CampaignSimulation)
      if (rule) wire[at]!.promise = campaignPromiseText(rule)[call.lang]
    }
  },
  actions: {
    public: async (row, _input, call) => {
      shopListScope.requireOwnRows([row], call)
      const now = nowOf(call)
      if (row.endTime <= now) throw new Refused('campaign_over', { name: row.name })
      // A copied or old draft may name products that no longer exist.
      await wholeRules(call, row)
      const published = await requireTransition(call, discountConf, row.id, 'public', {
        publishTime: now,
        publishUser: call.caller.userId,
      })
      await createCampaignShopResults(call.db, published)
      await requireFew(call.db, published, now)
      await enqueueTagRefresh(call.db, row.id, parseShanghaiTime(published.startTime))
      await call.db.enqueue(campaignEndQueue, { id: row.id }, { key: row.id, runAt: parseShanghaiTime(row.endTime) })
      return { id: row.id, status: CAMPAIGN_STATE.published }
    },
    stop: async (row, { stopReason }, call) => {
      shopListScope.requireOwnRows([row], call)
      await closeCampaign(call.db, row.id, 'stop', { stopTime: nowOf(call), stopReason })
    },
    rehearse: async (row, _input, call) => {
      shopListScope.requireOwnRows([row], call)
      const before = row.rehearsal as CampaignSimulation | null
      if (
        before?.state === 'running' &&
        parseShanghaiTime(before.askedAt).getTime() > call.services.now().getTime() - 3_600_000
      )
        throw new Refused('campaign_is_rehearsed', { name: row.name })
      const requestedAt = nowOf(call)
      const updated = await call.db.update(discountConf, row.id, { rehearsal: createEmptySimulation(requestedAt) })
      await call.db.enqueue(campaignSimulationQueue, { id: row.id, askedAt: requestedAt })
      publishRowsChanged(call, discountConf, [updated])
      return { id: row.id }
    },
    copy: async (row, _input, call) => {
      const own = call.caller.limits.shop
      const shopIds = own
        ? row.shopIds?.length
          ? row.shopIds.filter((id) => own.includes(id))
          : [...own]
        : row.shopIds
      const {
        type,
        rules: rule,
        goodIds,
        goodTypeIds,
        upcs,
        membersOnly,
        stackable,
        withVip,
        withTicket,
        waitsForTags,
        priority,
        budget,
        perUser,
        remark,
      } = row

      const name = `${[...row.name].slice(0, 44).join('')}-${call.lang === 'en' ? 'copy' : '副本'}`
      const { startTime, endTime } = await nextSpan(call, row)
      const copied = await call.db.insert(discountConf, {
        name,
        type,
        rules: rule,
        goodIds,
        goodTypeIds,
        upcs,
        shopIds,
        membersOnly,
        stackable,
        withVip,
        withTicket,
        waitsForTags,
        priority,
        budget,
        perUser,
        remark,
        startTime,
        endTime,
        status: CAMPAIGN_STATE.draft,
        usedAmount: 0,
        reservedAmount: 0,
        usedCount: 0,
      })

      publishRowsChanged(call, discountConf, [copied])
      return { id: copied.id }
    },
  },
})

/** Parses a rule. Refuses a problem, naming the number concerned. */
export function requireCampaignRule(type: string | null | undefined, given: unknown): CampaignRule {
  const found = validateCampaignRule(type, given)
  if ('rule' in found) return found.rule
  const { label, problem } = found.problems[0]!
  throw invalidInputRefusal({ rules: { problem, field: { ...discountConf.fields.rules, label } } })
}

/** Returns the campaign's rule, for a bundle with the products' present names. Refuses the same problems as saving. */
async function wholeRules(call: Call, row: { type?: string | null; rules?: unknown }): Promise<CampaignRule> {
  const rule = requireCampaignRule(row.type, row.rules)
  return rule.type === 'bundle' && rule.items.length ? { ...rule, items: await namedItems(call, rule.items) } : rule
}

/** Adds the present names to the products of a bundle. Refuses a barcode that no shop of the caller has. */
async function namedItems({ db, caller }: Call, items: readonly BundleItem[]): Promise<BundleItem[]> {
  const own = caller.limits.shop
  const rows = await db.query<{ upc: string; name: string }>(
    sql`select min(upc) as upc, min(name) as name from good_info where tenant_id = ${db.tenantId}
      and ${hasBarcodeSql(
        sql`upc`,
        items.map((item) => item.upc),
      )} and is_deleted = 0${
        own
          ? sql`
        and shop_id = any(${own}::bigint[])`
          : empty
      } group by ${normalizedBarcodeSql(sql`upc`)}`,
  )
  const names = new BarcodeMap(rows.map((row) => [row.upc, row.name] as const))
  return items.map(({ upc, quantity }) => {
    const name = names.get(upc)
    if (!name)
      throw invalidInputRefusal({
        rules: {
          problem: { code: 'not_found' },
          field: {
            ...discountConf.fields.rules,
            label: { zh: `条码为 ${upc} 的商品`, en: `Goods with barcode ${upc}` },
          },
        },
      })
    return { upc, quantity, name }
  })
}

/** Period of a copied campaign: same length, from next midnight. */
async function nextSpan(call: Call, row: Campaign): Promise<{ startTime: string; endTime: string }> {
  const length = parseShanghaiTime(row.endTime).getTime() - parseShanghaiTime(row.startTime).getTime()
  const startTime = `${formatShanghaiTime(new Date(call.services.now().getTime() + 86_400_000)).slice(0, 10)} 00:00:00`
  return { startTime, endTime: formatShanghaiTime(new Date(parseShanghaiTime(startTime).getTime() + length)) }
}

/** Enqueues the refresh of tags for a campaign's products, by default now. */
const enqueueTagRefresh = (db: Db, id: string, at?: Date) =>
  db.enqueue(campaignTagsQueue, { id }, at ? { runAt: at } : {})

/** Ends or stops a published campaign in all its shops; does nothing to another one. */
export async function closeCampaign(
  db: Db,
  id: string,
  move: 'stop' | 'end',
  patch: { stopTime?: string; stopReason?: string | null } = {},
): Promise<void> {
  const closed = await transition(db, discountConf, id, move, patch)
  if (!closed) return
  await enqueueTagRefresh(db, id)
  await updateShopResultsStatus(db, id, CAMPAIGN_STATE[discountConf.states.moves[move].to])
}

/** Ends all campaigns of a tenant whose end has passed. Returns how many. */
export async function endOverdueCampaigns(db: Db, at: string): Promise<number> {
  const over = await db.query<{ id: string }>(
    sql`select id from discount_conf where tenant_id = ${db.tenantId} and is_deleted = 0
      and status = ${CAMPAIGN_STATE.published} and end_time <= ${at}::timestamptz order by id for no key update`,
  )
  for (const { id } of over) await closeCampaign(db, id, 'end')
  return over.length
}
