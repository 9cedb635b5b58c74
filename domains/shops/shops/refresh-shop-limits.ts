import { publishPermissionsChanged } from '#kit/server/request/authenticate.ts'
import type { Call } from '#kit/server/module/module.ts'

/** Reloads the permissions of these people, so that a gained or lost shop takes effect at once. */
export const refreshShopLimits = (call: Call, userIds: readonly (string | null | undefined)[]) =>
  publishPermissionsChanged(call.services, call.db, { userIds: userIds.filter((id): id is string => Boolean(id)) })
