import { accessChannel, type AffectedCallers } from '#kit/server/request/authenticate.ts'
import type { Caller } from '#kit/server/caller.ts'
import { routesOf } from '#kit/server/request/mount.ts'
import { aliasesOf, defineModule, type Route } from '#kit/server/module.ts'
import { holdersWithin } from '#domains/platform/access/api.ts'
import { authRoutes } from './auth.server.ts'
import { sex, userStatus, userType } from './dictionaries.ts'
import { seedIdentity } from './api.ts'
import { watchEndedListeners } from './ended-listeners.ts'
import { purgeSessions } from './purge.job.ts'
import './refusals.ts'
import { sessionRoutes } from './session-calls.server.ts'
import { registerRoute } from './register.server.ts'
import { areHoldersWithin } from './standing.ts'
import { identityTables } from './tables.ts'
import { closeTools } from './tools.ts'
import { userRoutes } from './user-calls.server.ts'
import { user } from './user.resource.ts'
import { userServer } from './user.server.ts'
import { userSheetRoutes } from './user-sheet.server.ts'
import { identityParams } from './params.ts'

const routes: Route[] = [...userRoutes, ...sessionRoutes, ...userSheetRoutes, registerRoute]

/** Later clients of the protocol look for users under another address. */
const aliases = aliasesOf([...routesOf(userServer), ...routes], user.path, '/api/blade-system/user')

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
  jobs: [purgeSessions],
  dictionaries: [sex, userType, userStatus],
  seed: seedIdentity,
  start: async (services) => {
    services.slots.fill(holdersWithin, areHoldersWithin)
    // Open connections of those whose rights changed end; their browsers come back with what is allowed now.
    const unsubscribe = await services.shared.subscribe(
      accessChannel,
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
      await closeTools(services)
    }
  },
})
