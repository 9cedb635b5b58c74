import type { Db } from '#kit/server/database/db.ts'
import type { StorySeedContext } from '#domains/shops/shops/api.ts'

/** Seeds nothing: the figures come from the demo orders of other modules. */
export async function seed(_db: Db, _stage: StorySeedContext): Promise<void> {}
