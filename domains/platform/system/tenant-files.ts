import { defineSlot } from '#kit/server/slots.ts'
import type { Services } from '#kit/server/services.ts'

/** A file of a tenant: its key, and the tenant's own account it lies in; null where the installation keeps it. */
export type TenantFile = { key: string; ossId: string | null }

/** A tenant's files wherever they lie. The module of files fills it. */
export const tenantFilesSlot = defineSlot<{
  /** Files behind this key, in the order of keys, so many at once as can be held; none at the end. */
  after: (services: Services, tenantId: string, key: string) => Promise<TenantFile[]>
  /** undefined when it is not there, or its account answers no more. */
  open: (services: Services, tenantId: string, file: TenantFile) => Promise<AsyncIterable<Buffer> | undefined>
  /** Refuses when an account does not do it. */
  remove: (services: Services, tenantId: string, file: TenantFile) => Promise<void>
}>('tenantFiles')
