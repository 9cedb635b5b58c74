import { expect, vi } from 'vitest'
import type { Services } from '#kit/server/module/services.ts'

/** Resolves once at least `count` statements on this database wait for a lock. */
export const untilLocksWait = (services: Pick<Services, 'systemPool'>, count = 1): Promise<void> =>
  vi.waitFor(async () => {
    const { rows } = await services.systemPool.query<{ n: number }>(
      `select count(*)::int as n from pg_locks l join pg_stat_activity a using (pid)
        where a.datname = current_database() and not l.granted`,
    )
    expect(rows[0]!.n).toBeGreaterThanOrEqual(count)
  })
