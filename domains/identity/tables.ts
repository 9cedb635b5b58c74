import { defineTable } from '#kit/server/database/schema.ts'

export const identityTables = [
  // A session is a family of refresh tokens: one sign-in, however often it was renewed.
  defineTable({
    name: 'session',
    tenancy: 'tenant',
    primaryKey: ['tenant_id', 'sid'],
    busy: true,
    columns: {
      sid: 'text not null',
      tenant_id: 'text not null',
      user_id: 'bigint not null',
      client_id: 'text not null',
      dept_ids: 'bigint[]',
      role_ids: 'bigint[]',
      oauth_id: 'text',
      ip: 'text',
      user_agent: 'text',
      issued_at: 'timestamptz(3) not null',
      last_seen: 'timestamptz(3) not null',
      expires_at: 'timestamptz(3) not null',
      revoked_at: 'timestamptz(3)',
      revoke_reason: 'text',
    },
    indexes: { session_by_user: '(tenant_id, user_id) where revoked_at is null', session_by_expiry: '(expires_at)' },
  }),
  defineTable({
    name: 'session_refresh',
    tenancy: 'tenant',
    primaryKey: ['tenant_id', 'jti'],
    busy: true,
    columns: {
      jti: 'text not null',
      tenant_id: 'text not null',
      sid: 'text not null',
      issued_at: 'timestamptz(3) not null',
      used_at: 'timestamptz(3)',
      expires_at: 'timestamptz(3) not null',
    },
    indexes: { session_refresh_by_sid: '(sid)', session_refresh_by_expiry: '(expires_at)' },
  }),
  defineTable({
    name: 'user_dept',
    tenancy: 'tenant',
    primaryKey: ['tenant_id', 'user_id', 'dept_id'],
    columns: { tenant_id: 'text not null', user_id: 'bigint not null', dept_id: 'bigint not null' },
    indexes: { user_dept_by_dept: '(tenant_id, dept_id)' },
  }),
  // Former passwords, so that none comes back while the rules forbid it.
  defineTable({
    name: 'user_password',
    tenancy: 'tenant',
    columns: {
      id: 'bigint not null',
      tenant_id: 'text not null',
      user_id: 'bigint not null',
      hash: 'text not null',
      create_time: 'timestamptz(3) not null default now()',
    },
    indexes: { user_password_by_user: '(tenant_id, user_id, id)' },
  }),
  defineTable({
    name: 'user_ext',
    tenancy: 'tenant',
    primaryKey: ['tenant_id', 'user_id', 'user_type'],
    columns: {
      tenant_id: 'text not null',
      user_id: 'bigint not null',
      user_type: 'integer not null',
      ext: 'text not null',
    },
  }),
  // Somebody as another service knows them. The id is unguessable: whoever knows it may register with it.
  defineTable({
    name: 'user_oauth',
    tenancy: 'tenant',
    columns: {
      id: 'bigint not null',
      tenant_id: 'text not null',
      source: 'text not null',
      uuid: 'text not null',
      user_id: 'bigint',
      username: 'text',
      nickname: 'text',
      avatar: 'text',
      email: 'text',
      create_time: 'timestamptz(3) not null default now()',
      update_time: 'timestamptz(3) not null default now()',
    },
    indexes: { user_oauth_uq_source_uuid: '(tenant_id, source, uuid)', user_oauth_by_user: '(tenant_id, user_id)' },
  }),
]
