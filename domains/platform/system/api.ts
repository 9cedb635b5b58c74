import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import type { Services } from '#kit/server/module/services.ts'

export { clearSystemCaches, paramNumber, readParamsInTransaction, PARAM_CHANGED_TOPIC, paramValue } from './caches.ts'
export { createLabelLookup, DICTIONARY_CHANGED_TOPIC, REGION_CHANGED_TOPIC } from './labels.ts'
export { tenantFilesSlot, type TenantFile } from './tenant-files.ts'
export { createTenant, type NewTenant } from './tenant-create.ts'
export { notPracticeTenantSql, findPracticeTenants, removePracticeTenant } from './practice.ts'

export type TenantStatus = {
  tenantId: string
  tenantName: string
  isExpired: boolean
  accountNumber: number
  packageId: string | null
}

/**
 * Returns a tenant's status, package and account quota (-1: no limit); undefined for an unknown tenant. The management
 * tenant never expires.
 */
export async function findTenantStatus(services: Services, tenantId: string): Promise<TenantStatus | undefined> {
  const { rows } = await services.systemPool.query<TenantStatus>(
    `select tenant_id as "tenantId", tenant_name as "tenantName", expire_time is not null
      and expire_time <= $2::timestamptz as "isExpired",
       coalesce(account_number, -1) as "accountNumber", package_id::text as "packageId"
     from tenant where tenant_id = $1 and is_deleted = 0`,
    [tenantId, services.now().toISOString()],
  )
  const found = rows[0]
  return found && tenantId === MANAGEMENT_TENANT
    ? { ...found, isExpired: false, accountNumber: -1, packageId: null }
    : found
}

export type ClientRow = {
  id: string
  clientId: string
  clientSecret: string
  authorizedGrantTypes: string[]
  webServerRedirectUri: string
  accessTokenValidity: number
  refreshTokenValidity: number
}

/** Returns an OAuth client by its client id; undefined for an unknown one. */
export async function findClientById(services: Services, clientId: string): Promise<ClientRow | undefined> {
  const { rows } = await services.systemPool.query<ClientRow>(
    `select id::text as id, client_id as "clientId", client_secret as "clientSecret", coalesce(authorized_grant_types,
      '{}') as "authorizedGrantTypes",
       coalesce(web_server_redirect_uri, '') as "webServerRedirectUri", access_token_validity as "accessTokenValidity",
       refresh_token_validity as "refreshTokenValidity"
     from sys_client where client_id = $1 and is_deleted = 0`,
    [clientId],
  )
  return rows[0]
}

export const importSystemDemo = () => import('./system.demo.ts')
