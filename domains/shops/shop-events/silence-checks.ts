import type { Db } from '#kit/server/database/db.ts'

/** Something in a shop that has not been heard from. */
export type SilentSource = {
  tenantId: string
  shopId: string
  /** Unique within its shop. */
  key: string
  name: string
  /** When it was last heard from, in ms since 1970. */
  since: number
  /** False if its state is unknown: then it neither starts nor stops counting as silent. */
  isSure: boolean
}

type Find = (db: Db, limit: string) => Promise<SilentSource[]>

const finders: Find[] = []

/**
 * Registers a module's query for what has been silent since `limit`, in all tenants. Called when the module is loaded.
 */
export const registerSilenceCheck = (find: Find): void => void finders.push(find)

export const runSilenceChecks = async (db: Db, limit: string): Promise<SilentSource[]> => {
  const found: SilentSource[] = []
  for (const find of finders) found.push(...(await find(db, limit)))
  return found
}
