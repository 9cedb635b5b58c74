import { defineTable } from '#kit/server/database/schema.ts'

/** The token of an app, one for all servers; who holds the lease asks for a new one while the others wait. */
export const wechatTokenTable = defineTable({
  name: 'wechat_token',
  tenancy: 'tenant',
  secret: true,
  primaryKey: ['tenant_id', 'app_id'],
  columns: {
    tenant_id: 'text not null',
    app_id: 'bigint not null',
    access_token: 'text',
    end_time: 'timestamptz(3)',
    lease_until: 'timestamptz(3)',
    lease_no: 'text',
  },
})
