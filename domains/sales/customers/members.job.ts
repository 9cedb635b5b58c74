import { sql, type Db } from '#kit/server/database/db.ts'
import { defineQueue } from '#kit/server/jobs/index.ts'
import { defineModuleJob } from '#kit/server/module/module.ts'
import type { Services } from '#kit/server/module/services.ts'
import { publishRowsChanged } from '#kit/server/resource/submit-of.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { lockCustomer } from './accounts.ts'
import { wxUser } from './wx-user.resource.ts'
import { MEMBERSHIP_TERM_STATE } from './dictionaries.ts'
import { customerMergeQueue } from './merge.ts'
import { expirePoints } from './points.ts'
import { raiseLevelBySpending } from './membership-terms.ts'

/** Days after a merge during which rows that devices wrote under the closed account are still moved. */
const STRAGGLER_DAYS = 30

/**
 * Raises customers who have spent enough, first those whose level by spending ends today. Then writes the current level
 * to every customer row that differs. Returns how many rows changed.
 */
export async function reviewMemberLevels(db: Db, at: string): Promise<number> {
  const ended = await db.query<{ id: string }>(sql`
    select distinct v.wx_user_id as id from vip_info v where v.tenant_id = ${db.tenantId} and v.source = 'spending'
    and v.status = ${MEMBERSHIP_TERM_STATE.valid}
      and v.end_time <= ${at}::timestamptz and v.end_time > ${at}::timestamptz - interval '3 days' order by 1`)
  for (const { id } of ended) await raiseLevelBySpending(db, (await lockCustomer(db, id)).id, at)
  const changed = await db.query<{ id: string }>(sql`
    update wx_user w set vip_level = n.rank, vip_end_time = n.end_time
    from (
      select c.id, coalesce(t.rank, 0) as rank, t.end_time from wx_user c left join lateral (
        select l.rank, v.end_time from vip_info v join vip_level l on l.id = v.level and l.tenant_id = v.tenant_id
        where v.tenant_id = c.tenant_id and v.wx_user_id = c.id and v.status = ${MEMBERSHIP_TERM_STATE.valid}
        and v.start_time <= ${at}::timestamptz and v.end_time > ${at}::timestamptz
        order by l.rank desc, v.end_time desc, v.id limit 1
      ) t on true
      where c.tenant_id = ${db.tenantId} and (c.vip_level is distinct from coalesce(t.rank, 0)
      or c.vip_end_time is distinct from t.end_time)
      order by c.id for no key update of c
    ) n where w.id = n.id and w.tenant_id = ${db.tenantId} returning w.id`)
  if (changed.length) publishRowsChanged({ db }, wxUser, changed)
  return changed.length
}

const tenantsOf = (services: Services): Promise<string[]> =>
  services.unit({ crossTenantReason: 'every tenant has members of its own' }, async (db) =>
    (
      await db.query<{ tenantId: string }>(sql`select tenant_id from tenant where is_deleted = 0 order by tenant_id`)
    ).map((row) => row.tenantId),
  )

/** Every night: levels that ended or were reached, points that lapse, stragglers of merges. */
export const maintainMembershipsJob = defineModuleJob({
  queue: defineQueue('members.night'),
  cron: '12 0 * * *',
  timeoutSeconds: 600,
  run: async (_payload, { services }) => {
    const at = formatShanghaiTime(services.now())
    for (const tenantId of await tenantsOf(services)) {
      await services.unit({ tenantId }, (db) => reviewMemberLevels(db, at))
      await services.unit({ tenantId }, (db) => expirePoints(db, at))
      await services.unit({ tenantId }, async (db) => {
        const recent = await db.query<{ id: string }>(
          sql`select id from wx_user_merge where tenant_id = ${db.tenantId}
            and create_time > ${at}::timestamptz - make_interval(days => ${STRAGGLER_DAYS}::int) order by id`,
        )
        for (const { id } of recent) await db.enqueue(customerMergeQueue, { mergeId: id }, { key: id })
      })
    }
  },
})
