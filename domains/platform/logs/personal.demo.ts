import { sql, type Db } from '#kit/server/database/db.ts'
import { formatShanghaiTime } from '#kit/server/base/time.ts'
import { personalOpening } from './personal-opening.resource.ts'

const REASONS = ['顾客来电核对退款账号', '联系顾客取回遗失物品', '核实会员手机号变更'] as const
const HOUR_MS = 3_600_000
const OPEN_MINUTES = 10

/** Seeds views of customers' phones in the last days, each with a reason. */
export async function seed(db: Db, { now, users }: { now: Date; users: ReadonlyMap<string, string> }): Promise<void> {
  const account = db.tenantId === '100001' ? 'wu' : 'tang'
  const customers = await db.query<{ id: string; nickname: string }>(sql`select id::text, nickname from wx_user
    where tenant_id = ${db.tenantId} and phone is not null order by id limit ${REASONS.length}`)
  for (const [at, { id, nickname }] of customers.entries()) {
    const opened = new Date(now.getTime() - (5 + at * 21) * HOUR_MS)
    await db.withTimestamp(opened, (then) =>
      then.insert(personalOpening, {
        userId: users.get(account)!,
        account,
        family: 'wxUser',
        rowId: id,
        rowTitle: nickname,
        shown: ['phone'],
        reason: REASONS[at]!,
        untilTime: formatShanghaiTime(new Date(opened.getTime() + OPEN_MINUTES * 60_000)),
        remoteIp: '127.0.0.1',
      }),
    )
  }
}
