import { readBatch, sql } from '#kit/server/database/db.ts'
import { unitOfWorkOptionsForRead, visibleRowsSql } from '#kit/server/resource/list-of.ts'
import { defineRoute } from '#kit/server/module/module.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { epaDevice } from './epa.resource.ts'
import { epaDeviceServer } from './power.server.ts'
import { epaDeviceUsageCall } from './usage.calls.ts'

const two = (n: number) => String(n).padStart(2, '0')

/** The parts a chart of each span is divided into: hours, days or months. */
const SPANS = {
  day: { parts: () => Array.from({ length: 24 }, (_unused, n) => two(n)) },
  month: {
    parts: (day: string) =>
      Array.from({ length: new Date(Number(day.slice(0, 4)), Number(day.slice(5, 7)), 0).getDate() }, (_unused, n) =>
        two(n + 1),
      ),
  },
  year: { parts: () => Array.from({ length: 12 }, (_unused, n) => two(n + 1)) },
} as const

type Span = keyof typeof SPANS

export const powerUsageRoutes = [
  defineRoute(epaDeviceUsageCall, {
    title: { zh: '用电量', en: 'Power consumption' },
    can: epaDevice.code,
    tx: false,
    handle: async (call) => {
      const { id, shopId } = call.input
      const span = (call.input.span ?? 'day') as Span
      const day = call.input.day ?? formatShanghaiTime(call.services.now()).slice(0, 10)
      const devices = sql`select r.tenant_id, r.id ${visibleRowsSql({ ...epaDeviceServer, hooks: {} }, call)}
        ${id ? sql` and r.id = ${id}` : sql``}${shopId ? sql` and r.shop_id = ${shopId}` : sql``}`
      const sums = sql`sum(u.used)::float8 as used, sum(u.cost)::float8 as cost`
      const [from, to] = [`${day} 00:00:00+08`, `${day} 23:59:59.999+08`]
      const first = span === 'year' ? `${day.slice(0, 4)}-01-01` : `${day.slice(0, 7)}-01`
      const last = span === 'year' ? sql`interval '1 year'` : sql`interval '1 month'`
      const [rows] = await readBatch(call.services.pool, unitOfWorkOptionsForRead(call), [
        span === 'day'
          ? sql`select to_char(u.time at time zone 'Asia/Shanghai', 'HH24') as part, ${sums} from power_reading u
              where (u.tenant_id, u.device_id) in (${devices}) and u.time between ${from} and ${to} group by 1`
          : sql`select to_char(u.day, ${span === 'year' ? 'MM' : 'DD'}) as part, ${sums} from power_day u
              where (u.tenant_id, u.device_id) in (${devices}) and u.day >= ${first}::date
              and u.day < ${first}::date + ${last} group by 1`,
      ])
      const byPart = new Map(rows!.map((row) => [String(row.part), row]))
      const parts = SPANS[span].parts(day)
      const figures = (key: 'used' | 'cost') => parts.map((part) => Number(byPart.get(part)?.[key] ?? 0))
      const sum = (values: number[]) => values.reduce((all, one) => all + one, 0)
      const [used, cents] = [figures('used'), figures('cost')]
      const kwh = (value: number) => Math.round(value * 1000) / 1000
      const yuan = (value: number) => (value / 100).toFixed(2)
      return {
        span,
        day,
        parts,
        used: used.map(kwh),
        cost: cents.map(yuan),
        totalUsed: kwh(sum(used)),
        totalCost: yuan(sum(cents)),
      }
    },
  }),
]
