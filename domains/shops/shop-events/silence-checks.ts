import type { Db } from '#kit/server/database/db.ts'

/** Something in a shop nothing is heard of. */
export type SilentSource = {
  tenantId: string
  shopId: string
  /** Tells it from the others in its shop. */
  key: string
  name: string
  /** Milliseconds since 1970 of its last word. */
  since: number
  /** False where it is not known: what was missing stays so, and what was not is not. */
  isSure: boolean
}

type Find = (db: Db, limit: string) => Promise<SilentSource[]>

const finders: Find[] = []

/**
 * Which of a module's things have been silent since `limit`, in all tenants. Modules above this one say so at import.
 */
export const registerSilenceCheck = (find: Find): void => void finders.push(find)

export const runSilenceChecks = async (db: Db, limit: string): Promise<SilentSource[]> => {
  const found: SilentSource[] = []
  for (const find of finders) found.push(...(await find(db, limit)))
  return found
}
