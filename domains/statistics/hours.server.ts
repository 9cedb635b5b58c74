import { formatDecimal } from '#kit/fields/field-kind.ts'
import { f } from '#kit/resource/index.ts'
import { readTogether, sql } from '#kit/server/db.ts'
import { boundOf, visible } from '#kit/server/list-of.ts'
import { route, type Call } from '#kit/server/room.ts'
import { shanghaiText } from '#kit/server/time.ts'

type HourRow = { isToday: boolean; hour: number; sales: number; orders: number }

/** Sales of today and yesterday by hour of payment, within what the caller may see. */
async function hours(call: Call<{ shopId: string | null }>): Promise<Record<string, unknown>> {
  const today = shanghaiText(call.services.now()).slice(0, 10)
  const ofShop = call.input.shopId ? sql` and r.shop_id = ${call.input.shopId}` : sql``
  const [found] = await readTogether(call.services.pool, boundOf(call), [sql`
    select r.pay_time >= ${today}::date::timestamptz as is_today, extract(hour from r.pay_time)::int as hour, sum(r.pay_amount)::float8 as sales, count(*)::int as orders
    ${visible(call.services.registry.served.get('shoppingOrder')!, call)}${ofShop} and r.pay_time >= ${today}::date::timestamptz - interval '1 day' and r.pay_time < ${today}::date::timestamptz + interval '1 day'
    and r.status in (1, 2, 3, 4) group by 1, 2`])
  const at = (isToday: boolean, hour: number) => (found as HourRow[]).find((row) => row.isToday === isToday && row.hour === hour)
  return {
    date: today,
    hours: Array.from({ length: 24 }, (_, hour) => {
      const [now, before] = [at(true, hour), at(false, hour)]
      return { hour, sales: formatDecimal(now?.sales ?? 0, 2), orders: now?.orders ?? 0, yesterdaySales: formatDecimal(before?.sales ?? 0, 2), yesterdayOrders: before?.orders ?? 0 }
    }),
  }
}

export const hoursRoute = route({
  method: 'GET', path: '/api/shop/home/hours', title: { zh: '分时销售', en: 'Sales by hour' }, can: 'shoppingOrder', tx: false,
  input: { shopId: f.ref('basicShopInfo', { label: { zh: '门店', en: 'Shop' } }) },
  handle: hours,
})
