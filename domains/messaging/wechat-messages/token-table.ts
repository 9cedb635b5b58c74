import { defineTable } from '#kit/server/database/schema.ts'

/**
 * The access token of each app, shared by all servers. The holder of the lease requests a new one while the others
 * wait.
 */
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
