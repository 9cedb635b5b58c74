import { f } from '#kit/resource/index.ts'
import { readTogether, sql } from '#kit/server/db.ts'
import { boundOf, visible } from '#kit/server/list-of.ts'
import { route, type Call } from '#kit/server/room.ts'
import { shanghaiText } from '#kit/server/time.ts'
import { goodInfo } from './good-info.resource.ts'
import { storageLogServer } from './storage.server.ts'

const DAYS = 30

/** How many pieces of some goods were sold on each of the last days, returns taken off. */
async function sales(call: Call<{ id: string | null }>): Promise<{ total: number; days: { date: string; sold: number }[] }> {
  const today = shanghaiText(call.services.now()).slice(0, 10)
  const [rows] = await readTogether(call.services.pool, boundOf(call), [sql`
    select d::date::text as date, coalesce(sum(l.sold), 0)::int as sold
    from generate_series(${today}::date - ${DAYS - 1}::int, ${today}::date, interval '1 day') d
    left join (select r.create_time::date as day, -r.change as sold ${visible(storageLogServer, call)} and r.good_id = ${call.input.id} and r.type in ('sale', 'refund')
      and r.create_time >= (${today}::date - ${DAYS - 1}::int)::timestamptz) l on l.day = d::date
    group by d order by d`])
  const days = rows as { date: string; sold: number }[]
  return { total: days.reduce((sum, day) => sum + day.sold, 0), days }
}

export const goodSalesRoute = route({
  method: 'GET', path: '/api/shop/goodInfo/sales', title: { zh: '近30天销量', en: 'Sold in the last 30 days' }, can: 'goodInfo', tx: false,
  input: { id: f.ref('goodInfo', { label: goodInfo.label, required: true }) },
  handle: sales,
})
