import { sql, type Db } from './db.ts'

/**
 * Runs statements of a transaction with the rights of the login role, which owns the tables, then restores the unit's
 * role. Only for demo data, where no caller's input is involved.
 */
export async function runAsLoginRole(
  db: Db,
  work: (own: Pick<Db, 'run' | 'one' | 'savepoint'>) => Promise<unknown>,
): Promise<void> {
  const takeRole = (role: string) => db.run(sql`select set_config('role', ${role}, true)`)
  await takeRole('none')
  await work(db)
  await takeRole(db.isCrossTenant ? 'store_platform' : 'store_app')
}
