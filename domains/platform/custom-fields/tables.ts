import { defineTable } from '#kit/server/database/schema.ts'

/** How many own fields a tenant ever had: the next one's number. */
export const customFieldCountTable = defineTable({
  name: 'own_field_count',
  tenancy: 'tenant',
  columns: { tenant_id: 'text not null', last: 'integer not null' },
  primaryKey: ['tenant_id'],
})
