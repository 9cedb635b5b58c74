import { sql } from '#kit/server/database/db.ts'
import type { Services } from '#kit/server/services.ts'

/** A server whose clock is off by this much gives its rows wrong times and its devices wrong hours. */
const CLOCK_ERROR_MAX_MS = 5_000

export const isClockWrong = (errorMs: number): boolean => Math.abs(errorMs) >= CLOCK_ERROR_MAX_MS

/**
 * By how many milliseconds this server's clock is ahead of the database's, which all servers share. The connection is
 * taken before the clock is read: a wait for it, or other work beside it, is no error of the clock.
 */
export async function readClockError({ systemPool, now }: Pick<Services, 'systemPool' | 'now'>): Promise<number> {
  const client = await systemPool.connect()
  try {
    const asked = now().getTime()
    const { rows } = await client.query<{ now: number }>(
      sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
    )
    const answered = now().getTime()
    client.release()
    return Math.round((asked + answered) / 2 - rows[0]!.now)
  } catch (error) {
    client.release(error as Error)
    throw error
  }
}
