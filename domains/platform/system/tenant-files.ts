import { defineSlot } from '#kit/server/base/slots.ts'
import type { Services } from '#kit/server/module/services.ts'

/** A file of a tenant; `ossId` is the tenant's storage account, null for the installation's own store. */
export type TenantFile = { key: string; ossId: string | null }

/** Access to a tenant's files in all stores. Provided by the module of files. */
export const tenantFilesSlot = defineSlot<{
  /** Returns the next files in key order after this key; empty at the end. */
  after: (services: Services, tenantId: string, key: string) => Promise<TenantFile[]>
  /** Opens a file; undefined when it or its storage account is gone. */
  open: (services: Services, tenantId: string, file: TenantFile) => Promise<AsyncIterable<Buffer> | undefined>
  /** Removes a file; refuses when the storage account fails. */
  remove: (services: Services, tenantId: string, file: TenantFile) => Promise<void>
}>('tenantFiles')
