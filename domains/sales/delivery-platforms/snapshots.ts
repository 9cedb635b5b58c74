import { sql, type Db } from '#kit/server/database/db.ts'
import type { PlatformFields, PlatformRow } from './platform.ts'

/** The start time of a reading, by the database's clock, which all servers share. */
export const readSnapshotStartTime = async (db: Db): Promise<string> =>
  (await db.one<{ at: string }>(sql`select clock_timestamp()::text as at`))!.at

/**
 * Returns whether what was read of a row may be written, in the writing transaction. Messages are handled in parallel;
 * the reading that began later wins.
 */
export async function claimLatestSnapshot(db: Db, rowId: string, begun: string): Promise<boolean> {
  const kept = await db.one(sql`insert into platform_step (tenant_id, row_id, read_time)
    values (${db.tenantId}, ${rowId}, ${begun}) on conflict (tenant_id, row_id)
    do update set read_time = excluded.read_time
      where platform_step.read_time is null or platform_step.read_time <= excluded.read_time returning row_id`)
  return !!kept
}

/** Makes a patch from a platform's answer that leaves out fields changed since `row` was read. */
export const patchUnchangedFields =
  (row: PlatformRow, reported: PlatformFields) =>
  (is: PlatformRow): PlatformFields =>
    Object.fromEntries(Object.entries(reported).filter(([key]) => (is[key] ?? null) === (row[key] ?? null)))
