import { formatYuan } from '#kit/fields/money/cents.ts'
import { type Fields } from '#kit/fields/base/field-kind.ts'
import { fieldKindOf } from '#kit/fields/kinds.ts'
import { permissionCodeOf } from '#kit/resource/define-resource.ts'
import { hasPermission } from '#kit/server/base/caller.ts'
import { visibleFields } from '#kit/server/database/data-scope.ts'
import { readBatch, sql, type Sql } from '#kit/server/database/db.ts'
import { hasHiddenFieldFilter, queryFilterSql, queryOrderBySql } from '#kit/server/query/filters.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { presentRows, selectColumnsSql } from '#kit/server/resource/present.ts'
import type { Call, TodoDefinition } from '#kit/server/module/module.ts'
import { columnNameSql } from '#kit/server/database/row-sql.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'

const DAY_MS = 86_400_000
/** Maximum rows counted: nobody needs a larger number, and a neglected list must not slow down the page. */
const COUNT_MAX = 10_000

export type TodoCountRow = { shopId: string | null; n: number; amount: number }
type WaitingTodo = {
  key: string
  label: string
  resource: string
  icon: string
  tone: TodoDefinition['tone']
  count: number
  amount: string
  /** Filter of the list that shows exactly these rows. */
  query: Record<string, string>
  /** First rows, for people who work in a shop. */
  rows?: WaitingLine[]
}

/** One waiting row: title, notes, since or until when, and its page. */
type WaitingLine = { id: string; title: string; notes: string; time: string; isLate: boolean; to: string }

const momentOf = ({ caller, services }: Call, now = services.now()) => ({
  userId: caller.userId,
  today: formatShanghaiTime(now).slice(0, 10),
  daysAgo: (days: number) => formatShanghaiTime(new Date(now.getTime() - days * DAY_MS)).slice(0, 10),
})

/**
 * Builds the counts of all to-do items the caller may see: one statement each, by shop, with the same conditions as the
 * list it leads to.
 */
export function buildTodoCountQueries(
  call: Call,
): { need: TodoDefinition; query: Record<string, string>; statement: Sql }[] {
  const { registry } = call.services
  return (
    registry.modules
      .flatMap((module) => module.todos ?? [])
      .filter(
        (need) =>
          hasPermission(call.caller, permissionCodeOf(registry.resource(need.resource), 'list')) &&
          (!need.can || hasPermission(call.caller, need.can)),
      )
      // Items filtered by a field the caller may not read are left out.
      .filter(
        (need) => !hasHiddenFieldFilter(registry.resource(need.resource), need.query(momentOf(call)), call.caller),
      )
      .map((need) => {
        const served = registry.served.get(need.resource)!
        const { resource } = served
        const query = need.query(momentOf(call))
        const shopKey = resource.scope.shop
        const sees = visibleFields(resource, call.caller)
        const shop = shopKey ? sql`r.${columnNameSql(shopKey)}` : sql`null::bigint`
        const amount = need.amount && (!sees || sees.has(need.amount)) ? sql`r.${columnNameSql(need.amount)}` : sql`0`
        const from = sql`${visibleRowsSql(served, { ...call, query })}${queryFilterSql(resource, query, call.caller)}`
        return {
          need,
          query,
          statement: sql`select shop_id, count(*)::int as n, coalesce(sum(amount), 0) as amount
          from (select ${shop} as shop_id, ${amount} as amount ${from} limit ${COUNT_MAX}) c group by 1`,
        }
      })
  )
}

/** Returns the to-do items that have rows, for the home page; `shopIds` counts only those shops. */
export function summarizeWaitingTodos(
  call: Call,
  queries: ReturnType<typeof buildTodoCountQueries>,
  found: readonly TodoCountRow[][],
  shopIds?: readonly string[],
): WaitingTodo[] {
  const waiting = queries.flatMap(({ need, query }, at) => {
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
        sort: need.sort ?? 50,
        count,
        amount: need.amount && amount ? formatYuan(amount) : '',
        query: {
          ...query,
          ...(shopIds && shopKey ? { [shopKey === 'id' ? 'id_in' : shopKey]: shopIds.join(',') } : {}),
          ...need.order,
        },
      },
    ]
  })
  // Problems come before items that are merely due.
  return waiting
    .sort((a, b) => Number(a.tone === 'warn') - Number(b.tone === 'warn') || a.sort - b.sort)
    .map(({ sort: _sort, ...one }) => one)
}

const LINES = 4

/** Adds the first rows to each to-do item, as its list shows them; all in one further round trip. */
export async function loadTodoLines(
  call: Call,
  queries: ReturnType<typeof buildTodoCountQueries>,
  waiting: readonly WaitingTodo[],
  shopIds?: readonly string[],
): Promise<WaitingTodo[]> {
  const isOneShop = (shopIds ?? call.caller.limits.shop)?.length === 1
  const { registry, labels, pool } = call.services
  await labels.ready(call.caller.tenantId)

  const lined = waiting.flatMap((one) => {
    const { line } = queries.find(({ need }) => need.key === one.key)!.need
    return line ? [{ one, line, served: registry.served.get(one.resource)! }] : []
  })
  const statements = lined.map(({ one, served }) => {
    const { resource } = served
    return sql`select ${selectColumnsSql(registry, resource, 'list')}
      ${visibleRowsSql(served, { ...call, query: one.query })}${queryFilterSql(resource, one.query, call.caller)}
      order by ${queryOrderBySql(resource, one.query, call.caller)} limit ${LINES}`
  })

  const found = statements.length ? await readBatch(pool, unitOfWorkOptionsForRead(call), statements) : []
  const now = formatShanghaiTime(call.services.now())
  const lines = new Map<string, WaitingLine[]>()
  for (const [
    at,
    {
      one,
      line,
      served: { resource, hooks },
    },
  ] of lined.entries()) {
    const wire = await presentRows(call, resource, hooks, found[at]!)
    const text = (row: Record<string, unknown>, key: string) => textOf(call, resource.fields, row, key)
    // The shop name is left out for people in a single shop.
    const notes = (line.notes ?? []).filter((key) => !isOneShop || key !== 'shopName')
    lines.set(
      one.key,
      wire.map((row) => ({
        id: String(row.id),
        title: text(row, line.title) || String(row[resource.title] ?? row.id),
        notes: notes
          .map((key) => text(row, key))
          .filter(Boolean)
          .join(' · '),
        time: line.time ? String(row[line.time] ?? '') : '',
        isLate:
          !!line.due && !!row[line.time!] && String(row[line.time!]) < now.slice(0, String(row[line.time!]).length),
        to: line.to?.(row) ?? '',
      })),
    )
  }

  return waiting.map((one) => ({ ...one, ...(lines.has(one.key) && { rows: lines.get(one.key) }) }))
}

/** Formats a value of a row as text; empty if there is none. */
function textOf({ lang }: Call, fields: Fields, row: Record<string, unknown>, key: string): string {
  const value = row[key]
  const field = fields[key]
  if (value === undefined || value === '' || value === '-1') return ''
  const kind = field && fieldKindOf(field)
  return kind?.currency
    ? kind.currency + String(value)
    : field && kind?.readsAs === 'number'
      ? `${field.label[lang]} ${String(value)}`
      : String(value)
}
