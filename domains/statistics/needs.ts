import { formatDecimal } from '#kit/fields/field-kind.ts'
import { permissionOf } from '#kit/resource/define-resource.ts'
import { may } from '#kit/server/caller.ts'
import { visibleFields } from '#kit/server/data-scope.ts'
import { sql, type Sql } from '#kit/server/db.ts'
import { filtersOf } from '#kit/server/filters.ts'
import { visible } from '#kit/server/list-of.ts'
import type { Call, Need } from '#kit/server/room.ts'
import { column } from '#kit/server/rows.ts'
import { shanghaiText } from '#kit/server/time.ts'

const DAY_MS = 86_400_000
/** Beyond this nobody reads the number; it keeps a neglected list from slowing the page. */
const COUNT_MAX = 10_000

export type WaitingRow = { shopId: string | null; n: number; amount: number }
export type Waiting = {
  key: string
  label: string
  resource: string
  icon: string
  tone: Need['tone']
  count: number
  amount: string
  /** Filter of the list that shows exactly these rows. */
  query: Record<string, string>
}

const daysOf = (now: Date) => ({
  today: shanghaiText(now).slice(0, 10),
  daysAgo: (days: number) => shanghaiText(new Date(now.getTime() - days * DAY_MS)).slice(0, 10),
})

/** What may wait for the caller: one count a need, by shop, by the very conditions of the list it leads to. */
export function needsOf(call: Call): { need: Need; query: Record<string, string>; statement: Sql }[] {
  const { registry, now } = call.services
  return registry.rooms
    .flatMap((room) => room.needs ?? [])
    .filter((need) => may(call.caller, permissionOf(registry.resource(need.resource), 'list')))
    .map((need) => {
      const served = registry.served.get(need.resource)!
      const { resource } = served
      const query = need.query(daysOf(now()))
      const shopKey = resource.scope.shop
      const sees = visibleFields(resource, call.caller)
      const shop = shopKey ? sql`r.${column(shopKey)}` : sql`null::bigint`
      const amount = need.amount && (!sees || sees.has(need.amount)) ? sql`r.${column(need.amount)}` : sql`0`
      const from = sql`${visible(served, { ...call, query })}${filtersOf(resource, query, sees)}`
      return {
        need,
        query,
        statement: sql`select shop_id, count(*)::int as n, coalesce(sum(amount), 0)::float8 as amount
          from (select ${shop} as shop_id, ${amount} as amount ${from} limit ${COUNT_MAX}) c group by 1`,
      }
    })
}

/** The needs that have rows, as the home page shows them; `shopIds` leaves those of some shops. */
export function waitingOf(call: Call, asked: ReturnType<typeof needsOf>, found: readonly WaitingRow[][], shopIds?: readonly string[]): Waiting[] {
  const waiting = asked.flatMap(({ need, query }, at) => {
    const rows = found[at]!.filter((row) => !shopIds || (row.shopId && shopIds.includes(row.shopId)))
    const count = rows.reduce((sum, row) => sum + row.n, 0)
    if (!count) return []
    const amount = rows.reduce((sum, row) => sum + row.amount, 0)
    const shopKey = call.services.registry.resource(need.resource).scope.shop
    return [
      {
        key: need.key,
        label: need.label[call.lang],
        resource: need.resource,
        icon: need.icon,
        tone: need.tone,
        count,
        amount: need.amount && amount ? formatDecimal(amount, 2) : '',
        query: { ...query, ...(shopIds && shopKey ? { [shopKey === 'id' ? 'id_in' : shopKey]: shopIds.join(',') } : {}), ...need.order },
      },
    ]
  })
  // What went wrong comes before what is due.
  return waiting.sort((a, b) => Number(a.tone === 'warn') - Number(b.tone === 'warn'))
}
