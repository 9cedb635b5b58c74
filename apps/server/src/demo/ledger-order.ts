import { runAsLoginRole } from '#kit/server/database/as-login.ts'
import { empty, raw, sql, type Db } from '#kit/server/database/db.ts'

/** The ledgers, the column each running balance belongs to, and the column that numbers its lines, if any. */
const LEDGERS = [
  { table: 'storage_log', whose: 'good_id', place: 'seq' },
  { table: 'balance_log', whose: 'wx_user_id' },
  { table: 'integral_log', whose: 'wx_user_id' },
]

/**
 * Reorders a tenant's ledgers by time and recomputes the balances. Later seeds append lines with past times, whose
 * before and after values are those of the moment of seeding. Sums stay. Runs as the tables' owner, since the product
 * may only append to ledgers.
 */
export async function reorderLedgersByTime(db: Db): Promise<void> {
  await runAsLoginRole(db, async (own) => {
    for (const { table, whose, place } of LEDGERS) {
      const [name, of, seq] = [raw(table), raw(whose), place ? raw(place) : undefined]
      const numbers = seq ? sql`, ${seq} as was, row_number() over told as place` : empty
      // Numbers are unique per balance: new ones are negative until every line has its own.
      const changed = await own.run(sql`with line as (
          select id, create_time, change, before, after, sum(change) over told as held${numbers}
          from ${name} where tenant_id = ${db.tenantId}
          window told as (partition by ${of} order by create_time, ${seq ?? raw('id')})
        )
        update ${name} l set before = n.held - n.change, after = n.held${seq ? sql`, ${seq} = -n.place` : empty}
        from line n where l.tenant_id = ${db.tenantId} and l.id = n.id and l.create_time = n.create_time
        and (n.after <> n.held or n.before <> n.held - n.change${seq ? sql` or n.was <> n.place` : empty})`)
      if (seq && changed)
        await own.run(sql`update ${name} set ${seq} = -${seq} where tenant_id = ${db.tenantId} and ${seq} < 0`)
    }
  })
}
