import { SYNC_STATE } from './dictionaries.ts'

/**
 * A change by hand of a row the platform has too waits to be sent: `touched` are the fields the platform knows. For
 * `beforeSave`.
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
