import type { Db } from '#kit/server/database/db.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'

/** Figures of the days told. */
export async function seed(_db: Db, _stage: StorySeedContext): Promise<void> {}
