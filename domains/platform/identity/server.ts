import { permissionsChangedChannel, type AffectedCallers } from '#kit/server/request/authenticate.ts'
import type { Caller } from '#kit/server/base/caller.ts'
import { resourceRoutes } from '#kit/server/mount/mount.ts'
import { aliasRoutes, defineModule, type Route } from '#kit/server/module/module.ts'
import { roleHoldersWithinSlot } from '#domains/platform/access/api.ts'
import { authRoutes } from './auth.server.ts'
import { sexDictionary, userStatusDictionary, userTypeDictionary } from './dictionaries.ts'
import { seedFirstAdministrator } from './api.ts'
import { watchEndedListeners } from './ended-listeners.ts'
import { purgeEndedSessionsJob } from './purge.job.ts'
import './refusals.ts'
import { sessionRoutes } from './session-calls.server.ts'
import { userRegistrationRoute } from './register.server.ts'
import { areRoleHoldersWithinLimits } from './standing.ts'
import { identityTables } from './tables.ts'
import { closeIdentityServices } from './tools.ts'
import { userRoutes } from './user-calls.server.ts'
import { user } from './user.resource.ts'
import { userServer } from './user.server.ts'
import { userSheetRoutes } from './user-sheet.server.ts'
import { identityParams } from './params.ts'

const routes: Route[] = [...userRoutes, ...sessionRoutes, ...userSheetRoutes, userRegistrationRoute]

/** The same routes under the path that newer clients of the protocol use for users. */
const aliases = aliasRoutes([...resourceRoutes(userServer), ...routes], user.path, '/api/blade-system/user')

const isAffected = (
  caller: Caller,
  { everybody, userIds = [], roleIds = [], sessionIds = [], tenantIds = [] }: AffectedCallers,
): boolean =>
  everybody === true ||
  userIds.includes(caller.userId) ||
  tenantIds.includes(caller.tenantId) ||
  sessionIds.includes(caller.sessionId) ||
  caller.roleIds.some((id) => roleIds.includes(id))

export default defineModule({
  name: 'platform/identity',
  label: { zh: '用户与登录', en: 'Users & sign-in' },
  resources: [userServer],
  params: identityParams,
  routes: [...authRoutes, ...routes, ...aliases],
  tables: identityTables,
  jobs: [purgeEndedSessionsJob],
  dictionaries: [sexDictionary, userTypeDictionary, userStatusDictionary],
  seed: seedFirstAdministrator,
  start: async (services) => {
    services.slots.fill(roleHoldersWithinSlot, areRoleHoldersWithinLimits)
    // Closes live connections of users whose rights changed; their browsers reconnect with the current rights.
    const unsubscribe = await services.shared.subscribe(
      permissionsChangedChannel,
      (message) => {
        const affected = (typeof message === 'object' && message !== null ? message : {}) as AffectedCallers
        services.live.drop((caller) => isAffected(caller, affected))
      },
      () => services.live.drop(() => true),
    )
    const stopLooking = watchEndedListeners(services)
    return async () => {
      stopLooking()
      unsubscribe()
      await closeIdentityServices(services)
    }
  },
})
