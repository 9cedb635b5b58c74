import { defineTable } from '#kit/server/database/schema.ts'

export const accessTables = [
  defineTable({
    name: 'role_menu',
    tenancy: 'tenant',
    primaryKey: ['tenant_id', 'role_id', 'menu_id'],
    columns: { tenant_id: 'text not null', role_id: 'bigint not null', menu_id: 'bigint not null' },
  }),
  defineTable({
    name: 'role_scope',
    tenancy: 'tenant',
    primaryKey: ['tenant_id', 'role_id', 'scope_category', 'scope_id'],
    columns: {
      tenant_id: 'text not null',
      role_id: 'bigint not null',
      scope_category: 'smallint not null',
      scope_id: 'bigint not null',
    },
    indexes: { role_scope_by_scope: '(scope_category, scope_id)' },
  }),
  defineTable({
    name: 'top_menu_setting',
    tenancy: 'tenant',
    primaryKey: ['tenant_id', 'top_menu_id', 'menu_id'],
    columns: { tenant_id: 'text not null', top_menu_id: 'bigint not null', menu_id: 'bigint not null' },
  }),
]

/** Values of `role_scope.scope_category`. */
export const DATA_SCOPE_CATEGORY = 1
export const API_SCOPE_CATEGORY = 2
