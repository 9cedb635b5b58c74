import { sql, type Db } from '#kit/server/database/db.ts'
import type { PlatformFields, PlatformRow } from './platform.ts'

/** When a reading begins, by the one clock of all servers. */
export const readSnapshotStartTime = async (db: Db): Promise<string> =>
  (await db.one<{ at: string }>(sql`select clock_timestamp()::text as at`))!.at

/**
 * Whether what was read of a row there may be written, in the transaction that does. Messages are heard side by side:
 * of two readings the one that began later has seen whatever made anybody look.
 */
export async function claimLatestSnapshot(db: Db, rowId: string, begun: string): Promise<boolean> {
  const kept = await db.one(sql`insert into platform_step (tenant_id, row_id, read_time)
    values (${db.tenantId}, ${rowId}, ${begun}) on conflict (tenant_id, row_id)
    do update set read_time = excluded.read_time
      where platform_step.read_time is null or platform_step.read_time <= excluded.read_time returning row_id`)
  return !!kept
}

/** What an answer says of a row, but for what was heard of it while it was on its way. */
export const patchUnchangedFields =
  (row: PlatformRow, said: PlatformFields) =>
  (is: PlatformRow): PlatformFields =>
    Object.fromEntries(Object.entries(said).filter(([key]) => (is[key] ?? null) === (row[key] ?? null)))
