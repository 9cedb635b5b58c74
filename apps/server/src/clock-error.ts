import { sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/module/services.ts'

/** From this error on, the clock counts as wrong: rows get wrong times and devices wrong hours. */
const CLOCK_ERROR_MAX_MS = 5_000

export const isClockWrong = (errorMs: number): boolean => Math.abs(errorMs) >= CLOCK_ERROR_MAX_MS

/**
 * Returns by how many milliseconds this server's clock is ahead of the database's, which all servers share. The
 * connection is acquired before the clock is read, so that waiting for one does not count as an error.
 */
export async function readClockError({ systemPool, now }: Pick<Services, 'systemPool' | 'now'>): Promise<number> {
  const client = await systemPool.connect()
  try {
    const sentAt = now().getTime()
    const { rows } = await client.query<{ now: number }>(
      sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
    )
    const answered = now().getTime()
    client.release()
    return Math.round((sentAt + answered) / 2 - rows[0]!.now)
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}
