import { isGrantedByRole } from '#domains/platform/access/api.ts'
import type { Db } from '#kit/server/database/db.ts'
import { Refused } from '#kit/server/base/refused.ts'
import { decodedPathOf } from '#kit/server/request/request-context.ts'
import type { Call } from '#kit/server/module/module.ts'
import './refusals.ts'

/** Permission to operate other tenants' devices. Platform administrators need it granted to their role explicitly. */
const RIGHT = 'tenant_devices'

export const isOtherTenant = ({ caller }: Pick<Call, 'caller'>, tenantId: string): boolean =>
  tenantId !== caller.tenantId

/** Returns whether the caller may operate this tenant's devices: own tenant, or the permission above. */
export const canOperateTenantDevices = async (
  call: Pick<Call, 'caller' | 'services'>,
  tenantId: string,
): Promise<boolean> =>
  !isOtherTenant(call, tenantId) || (call.caller.isPlatform && isGrantedByRole(call.services, call.caller, RIGHT))

export async function requireTenantDeviceAccess(
  call: Pick<Call, 'caller' | 'services'>,
  tenantId: string,
): Promise<void> {
  if (!(await canOperateTenantDevices(call, tenantId))) throw new Refused('tenant_devices_not_granted')
}

/** Returns the operator's name as the tenant sees it. Platform staff are marked, as they are not among its accounts. */
export const operatorNameForTenant = ({ caller }: Pick<Call, 'caller'>, tenantId: string): string => {
  const name = caller.name || caller.account
  return isOtherTenant({ caller }, tenantId) ? `平台 · ${name}` : name
}

/**
 * Also writes what platform staff do with a tenant's device to that tenant's operation log, in the same transaction.
 */
export function logOperationForTenant(call: Call, db: Db, title: string, params: object): void {
  const { caller, request, services } = call
  if (!isOtherTenant(call, db.tenantId)) return
  services.logs.operation(
    {
      caller: { ...caller, account: operatorNameForTenant(call, db.tenantId) },
      tenantId: db.tenantId,
      title: `平台管理员：${title}`,
      method: request.method,
      uri: decodedPathOf(request.url),
      params,
      ip: request.ip,
      userAgent: request.userAgent,
      millis: 0,
      traceId: request.traceId,
      status: 200,
    },
    db,
  )
}
