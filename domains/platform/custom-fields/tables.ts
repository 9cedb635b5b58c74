import { defineTable } from '#kit/server/database/schema.ts'

/** The highest custom field number a tenant has used; the next field gets the one after. */
export const customFieldCountTable = defineTable({
  name: 'own_field_count',
  tenancy: 'tenant',
  columns: { tenant_id: 'text not null', last: 'integer not null' },
  primaryKey: ['tenant_id'],
})
