import type { RowOf } from '#kit/resource/index.ts'
import { secretCipherOf } from '#domains/platform/files/api.ts'
import type { Services } from '#kit/server/module/services.ts'
import type { aiApp } from './ai-app.resource.ts'
import type { DifyAccess } from './dify.client.ts'

type App = Pick<RowOf<typeof aiApp>, 'tenantId' | 'endpoint' | 'apiKey' | 'mayBeInside'>

/**
 * Creates the access to a Dify application for runs of a task. Dify allows only the user that started a run to stop or
 * resume it, so the user is derived from tenant, shop and task.
 */
export const createDifyAccess = (
  services: Services,
  { tenantId, endpoint, apiKey, mayBeInside }: App,
  of: { shopId?: string | null; taskId?: string | null } = {},
): DifyAccess => ({
  services,
  tenantId,
  base: endpoint,
  key: secretCipherOf(services).open(apiKey),
  mayBeInside: mayBeInside !== false,
  user: `t${tenantId}-s${of.shopId ?? '0'}-k${of.taskId ?? '0'}`,
})
