import { runAsLoginRole } from '#kit/server/database/as-login.ts'
import { empty, raw, sql, type Db } from '#kit/server/database/db.ts'

/** Whose lines each ledger strings together, and by what it numbers them, if it does. */
const LEDGERS = [
  { table: 'storage_log', whose: 'good_id', place: 'seq' },
  { table: 'balance_log', whose: 'wx_user_id' },
  { table: 'integral_log', whose: 'wx_user_id' },
]

/**
 * Puts the ledgers of a tenant into the order of time: what the story tells late of a moment long ago has been written
 * behind lines of after that moment, with what was there at the telling. Sums stay. Ledgers may be added to by the
 * product and never changed, so this is done as who owns them.
 */
export async function reorderLedgersByTime(db: Db): Promise<void> {
  await runAsLoginRole(db, async (own) => {
    for (const { table, whose, place } of LEDGERS) {
      const [name, of, seq] = [raw(table), raw(whose), place ? raw(place) : undefined]
      const numbers = seq ? sql`, ${seq} as was, row_number() over told as place` : empty
      // A number is taken while any line still has it: new ones are below zero until all have theirs.
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
