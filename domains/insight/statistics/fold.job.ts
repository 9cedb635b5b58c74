import { raw, sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { startOfTimeUnitMs, startOfNextTimeUnitMs } from './period.ts'
import {
  appendRollupDeltaSql,
  coarsenRollupSql,
  rollupDifferenceSql,
  foldRollupDeltasSql,
  rollups,
  ROLLUP_SOURCE_TABLES,
  rollupTableName,
  dailyVisitorDifferenceSql,
  rebuildDailyVisitorsSql,
  type Rollup,
} from './rollups.ts'
import { rollupsRebuiltTopic } from './topics.ts'

const FOLD_AT_ONCE = 20_000
const statisticsFoldQueue = defineQueue('statistics.fold')
export const rollupRebuildQueue = defineQueue('statistics.rebuild')

/** Serializes changes of the roll-up sums; readers and sales do not wait for this lock. */
const alone = (db: Db) => db.run(sql`select pg_advisory_xact_lock(hashtextextended('statistics/kept', 0))`)

/** Folds all deltas into the roll-up sums; returns the number of deltas. */
export async function foldRollupDeltas(services: Services): Promise<number> {
  let folded = 0
  for (const rollup of rollups)
    for (let n = FOLD_AT_ONCE; n === FOLD_AT_ONCE; folded += n)
      n = await services.unit({ crossTenantReason: 'sums of all tenants are folded together' }, async (db) => {
        await alone(db)
        return (await db.one<{ n: number }>(sql`${raw(foldRollupDeltasSql(rollup, FOLD_AT_ONCE))}`))!.n
      })
  return folded
}

export const foldRollupDeltasJob = defineModuleJob({
  queue: statisticsFoldQueue,
  cron: '* * * * *',
  run: async (_payload, { services }) => void (await foldRollupDeltas(services)),
})

/** Returns the months in which a tenant has rows or roll-up sums. */
async function monthsOf(db: Db, rollup: Rollup): Promise<string[]> {
  const found = await db.one<{ first: string | null; last: string | null }>(sql`
    select min(at) as first, max(at) as last from (
      ${raw(
        [
          `select min(pay_time) as at from ${ROLLUP_SOURCE_TABLES.orders}`,
          `select max(pay_time) from ${ROLLUP_SOURCE_TABLES.orders}`,
          `select min(finish_time) from ${ROLLUP_SOURCE_TABLES.refunds}`,
          `select max(finish_time) from ${ROLLUP_SOURCE_TABLES.refunds}`,
          ...(['delta', rollup.fine] as const).flatMap((kind) => [
            `select min(at) from ${rollupTableName(rollup, kind)}`,
            `select max(at) from ${rollupTableName(rollup, kind)}`,
          ]),
        ].join(' union all '),
      )}
    ) t`)
  if (!found?.first || !found.last) return []
  const months: string[] = []
  const last = Date.parse(`${found.last.replace(' ', 'T')}+08:00`)
  for (
    let at = startOfTimeUnitMs('month', Date.parse(`${found.first.replace(' ', 'T')}+08:00`));
    at <= last;
    at = startOfNextTimeUnitMs('month', at)
  )
    months.push(formatShanghaiTime(new Date(at)))
  return months
}

const inMonth = (month: string) => (column: string) =>
  `${column} >= timestamptz '${month}+08' and ${column} < timestamptz '${month}+08' + interval '1 month'`

/** Returns the roll-up sums of a tenant that differ from a recount of its rows; empty if all agree. */
export async function findRollupDifferences(db: Db, limit = 100): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = []
  for (const rollup of rollups) {
    found.push(
      ...(await db.query(
        sql`${raw(`select '${rollup.name}' as rollup, d.* from (${rollupDifferenceSql(rollup)}) d limit ${limit}`)}`,
      )),
    )
    const sums = (from: string, unit: string) =>
      `select tenant_id, shop_id, ${unit} as at,
        ${[...rollup.keys, ...rollup.sums.map((sum) => `sum(${sum}) as ${sum}`)].join(', ')} from ${from}
        group by ${['tenant_id', 'shop_id', unit, ...rollup.keys].join(', ')}`
    const fine = sums(rollupTableName(rollup, rollup.fine), `date_trunc('${rollup.coarse}', at, 'Asia/Shanghai')`)
    const coarse = sums(rollupTableName(rollup, rollup.coarse), 'at')
    found.push(
      ...(await db.query(
        sql`${raw(`select '${rollup.name} ${rollup.coarse}' as rollup, d.* from ((${fine} except ${coarse})
          union all (${coarse} except ${fine})) d limit ${limit}`)}`,
      )),
    )
  }
  found.push(
    ...(await db.query(
      sql`${raw(`select 'visitors' as rollup, d.* from (${dailyVisitorDifferenceSql}) d limit ${limit}`)}`,
    )),
  )
  return found
}

/**
 * Corrects a tenant's roll-up sums while it goes on selling. The difference to a recount is appended as a delta: rows,
 * sums and deltas are read in one statement and so in one snapshot. Returns the number of wrong sums.
 */
export async function rebuildRollups(services: Services, tenantId: string): Promise<number> {
  let wrong = 0
  for (const rollup of rollups) {
    const months = await services.unit({ tenantId }, (db) => monthsOf(db, rollup))
    for (const month of months)
      wrong += await services.unit({ tenantId }, async (db) => {
        await alone(db)
        return db.run(sql`${raw(appendRollupDeltaSql(rollup, rollupDifferenceSql(rollup, inMonth(month))))}`)
      })
  }
  await foldRollupDeltas(services)
  for (const rollup of rollups)
    await services.unit({ tenantId }, async (db) => {
      await alone(db)
      await db.run(sql`${raw(`delete from ${rollupTableName(rollup, rollup.coarse)}`)} where tenant_id = ${tenantId}`)
      await db.run(sql`${raw(coarsenRollupSql(rollup))}`)
    })
  await services.unit({ tenantId }, async (db) => {
    await alone(db)
    for (const text of rebuildDailyVisitorsSql(tenantId)) await db.run(sql`${raw(text)}`)
  })
  return wrong
}

export const rebuildRollupsJob = defineModuleJob({
  queue: rollupRebuildQueue,
  concurrency: 1,
  timeoutSeconds: 3600,
  run: async (_payload, { tenantId, services }) => {
    const started = Date.now()
    const wrong = await rebuildRollups(services, tenantId)
    services.log.info({ tenantId, wrong, millis: Date.now() - started }, 'statistics counted anew')
    await services.unit({ tenantId }, async (db) => {
      await db.run(sql`insert into statistics_recount (tenant_id, at, wrong, millis)
        values (${tenantId}, ${services.now().toISOString()}, ${wrong}, ${Date.now() - started})
        on conflict (tenant_id) do update set at = excluded.at, wrong = excluded.wrong, millis = excluded.millis`)
      db.publish(rollupsRebuiltTopic, { wrong }, { permission: 'businessAnalysis' })
    })
  },
})
