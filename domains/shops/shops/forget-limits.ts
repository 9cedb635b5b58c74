import { permissionsChanged } from '#kit/server/request/authenticate.ts'
import type { Call } from '#kit/server/module.ts'

/** Whoever gains or loses a shop sees it at once. */
export const forgetLimits = (call: Call, userIds: readonly (string | null | undefined)[]) =>
  permissionsChanged(call.services, call.db, { userIds: userIds.filter((id): id is string => Boolean(id)) })
