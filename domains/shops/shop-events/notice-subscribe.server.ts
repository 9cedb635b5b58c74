import { type RowOf } from '#kit/resource/index.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { invalidFieldRefusal, defineRoute, serve, type Call } from '#kit/server/module/module.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { translateSystemTextField } from '#kit/server/base/system-words.ts'
import { basicShopInfo } from '#domains/shops/shops/index.ts'
import { event, eventLevels } from './event.resource.ts'
import { noticeSubscribeMineCall, mineSaveCall } from './notice-subscribe.calls.ts'
import { noticeChannels, noticeSubscribe } from './notice-subscribe.resource.ts'
import { noticeLog } from './notice-log.resource.ts'
import { findNoticeTemplate } from './wechat-notice.ts'

type Subscription = RowOf<typeof noticeSubscribe>

const isLimited = ({ caller }: Pick<Call, 'caller'>) => Boolean(caller.limits.shop)

export const noticeSubscribeServer = serve(noticeSubscribe, {
  // Bosses and clerks see only their own subscriptions.
  where: (call) => (isLimited(call) ? sql` and r.user_id = ${call.caller.userId}` : sql``),
  beforeSave: (draft, was, call) => {
    if (isLimited(call)) draft.userId = call.caller.userId
    const { userId = was?.userId, openid = was?.openid } = draft
    if (!userId && !openid) throw invalidFieldRefusal(noticeSubscribe, 'userId', 'required')
  },
})

export const noticeLogServer = serve(noticeLog, {
  present: (wire, _rows, { lang }) => translateSystemTextField(wire, 'error', lang),
})

/**
 * Whether WeChat notifications reach a person: `unset` without a template, `untied` without a linked WeChat account.
 */
type WechatReach = 'ready' | 'unset' | 'untied'

type Mine = {
  cells: Record<string, string[]>
  shopIds: string[]
  quietStart: string
  quietEnd: string
  enabled: boolean
}

async function wechatReach(db: Db, userId: string): Promise<WechatReach> {
  if (!(await findNoticeTemplate(db, 'event'))) return 'unset'
  const tied = await db.one(sql`select 1 from wx_shoper where tenant_id = ${db.tenantId} and is_deleted = 0
    and user_id = ${userId} limit 1`)
  return tied ? 'ready' : 'untied'
}

const ownRows = (db: Db, userId: string) => db.find(noticeSubscribe, sql`r.user_id = ${userId}`, sql`order by r.id`)

function mineOf(rows: readonly Subscription[]): Mine {
  const cells: Mine['cells'] = Object.fromEntries(Object.keys(eventLevels).map((type) => [type, []]))
  for (const row of rows)
    for (const type of row.eventTypes)
      for (const channel of row.channels) if (!cells[type]?.includes(channel)) cells[type]?.push(channel)
  const [first] = rows
  return {
    cells,
    shopIds: first?.shopIds ?? [],
    quietStart: first?.quietStart ?? '',
    quietEnd: first?.quietEnd ?? '',
    enabled: first?.enabled ?? true,
  }
}

function parseCells(given: unknown): [string, string[]][] {
  const bad = () => invalidFieldRefusal(noticeSubscribe, 'eventTypes', 'not_a_choice')
  const entries = Object.entries(given ?? {})
  for (const [type, list] of entries) {
    if (!(type in eventLevels) || !Array.isArray(list) || list.some((one) => !noticeChannels.includes(one as never)))
      throw bad()
  }
  return entries
}

/** Saves a person's subscriptions from the matrix, one row for each channel. */
async function saveMine(call: Call<any>): Promise<Mine & { wechat: WechatReach }> {
  const { db, caller, input } = call
  const cells = parseCells(input.cells)
  const shopIds = (input.shopIds ?? []) as string[]
  const own = caller.limits.shop
  const known = await db.one<{ n: number }>(
    sql`select count(*)::int as n from basic_shop_info where tenant_id = ${db.tenantId} and is_deleted = 0
      and id = any(${shopIds}::bigint[])`,
  )
  if (known!.n !== shopIds.length || (own && !shopIds.every((id) => own.includes(id))))
    throw new Refused('not_found', { label: basicShopInfo.label })
  await db.advisoryLock(`subscribe/${caller.userId}`)
  const was = await ownRows(db, caller.userId)
  const rest = {
    shopIds,
    quietStart: input.quietStart ?? null,
    quietEnd: input.quietEnd ?? null,
    enabled: input.enabled ?? true,
  }
  const written: Subscription[] = []
  const kept = new Set<string>()
  for (const channel of noticeChannels) {
    const eventTypes = cells.filter(([, list]) => list.includes(channel)).map(([type]) => type)
    if (!eventTypes.length) continue
    const existing = was.find((row) => row.channels.length === 1 && row.channels[0] === channel)
    if (existing) kept.add(existing.id)
    const draft = { ...rest, eventTypes, channels: [channel] }
    written.push(
      existing
        ? await db.update(noticeSubscribe, existing.id, draft)
        : await db.insert(noticeSubscribe, { ...draft, userId: caller.userId }),
    )
  }
  const gone = was.filter(({ id }) => !kept.has(id))
  await db.remove(
    noticeSubscribe,
    gone.map(({ id }) => id),
  )
  publishRowsChanged(call, noticeSubscribe, [...written, ...gone])
  return { ...mineOf(written), wechat: await wechatReach(db, caller.userId) }
}

export const noticeSubscriptionRoutes = [
  defineRoute(noticeSubscribeMineCall, {
    title: { zh: '我的通知订阅', en: 'My notification subscriptions' },
    can: event.code,
    handle: async ({ db, caller }) => ({
      ...mineOf(await ownRows(db, caller.userId)),
      wechat: await wechatReach(db, caller.userId),
    }),
  }),
  defineRoute(mineSaveCall, {
    title: { zh: '保存我的通知订阅', en: 'Save my notification subscriptions' },
    can: event.code,
    handle: saveMine,
  }),
]
