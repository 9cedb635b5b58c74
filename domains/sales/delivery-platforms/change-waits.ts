import { SYNC_STATE } from './dictionaries.ts'

/**
 * Marks a row as waiting for sync when a form changed one of the fields `touched`, which the platform knows. No effect
 * for rows that are not at the platform. For `beforeSave`.
 */
export function markWaitingForSync(
  draft: Record<string, unknown>,
  was: Record<string, unknown> | undefined,
  touched: readonly string[],
): void {
  const isChanged = touched.some(
    (key) => draft[key] !== undefined && JSON.stringify(draft[key]) !== JSON.stringify(was?.[key]),
  )
  if (was && was.syncStatus !== SYNC_STATE.not && isChanged)
    Object.assign(draft, { syncStatus: SYNC_STATE.waiting, syncError: null })
}
