import { MANAGEMENT_TENANT } from '#kit/server/base/caller.ts'
import { sql, type Db } from '#kit/server/database/db.ts'
import { menuId } from '#kit/server/mount/menus.ts'
import { apiScope, dataScope } from './scopes.resource.ts'
import { topMenu } from './top-menu.resource.ts'

type Top = { code: string; name: string; nameEn: string; source: string; groups: readonly string[] }

/** Top menus of a tenant. Every demo user holds pages under both, so no side menu is empty. */
const TENANT_TOPS: readonly Top[] = [
  {
    code: 'sales',
    name: '卖场',
    nameEn: 'Store operations',
    source: 'shopping',
    groups: ['desk', 'shop', 'goods', 'order', 'member', 'marketing', 'statistics'],
  },
  {
    code: 'backstage',
    name: '后台',
    nameEn: 'Back office',
    source: 'tool',
    groups: [
      'desk',
      'device',
      'supplier',
      'merchant',
      'ele',
      'meituan',
      'ai',
      'system',
      'authority',
      'resource',
      'monitor',
      'base',
    ],
  },
]
const PLATFORM_TOPS: readonly Top[] = [
  {
    code: 'trade',
    name: '经营',
    nameEn: 'Trade',
    source: 'shop',
    groups: [
      'desk',
      'shop',
      'goods',
      'order',
      'member',
      'marketing',
      'statistics',
      'device',
      'supplier',
      'merchant',
      'ele',
      'meituan',
      'ai',
    ],
  },
  {
    code: 'platform',
    name: '平台',
    nameEn: 'Platform',
    source: 'setting',
    groups: ['desk', 'system', 'authority', 'resource', 'monitor', 'base', 'report', 'tool'],
  },
]

/** Seeds the entries of the top bar, each showing the menus of its groups. */
export async function seedTopMenus(db: Db): Promise<void> {
  const tops = db.tenantId === MANAGEMENT_TENANT ? PLATFORM_TOPS : TENANT_TOPS
  for (const [at, { groups, ...top }] of tops.entries()) {
    const row = await db.insert(topMenu, { ...top, sort: at + 1 })
    await db.run(sql`
      with recursive down as (
        select id from menu where code = any(${groups}) and is_deleted = 0
        union select m.id from menu m join down on m.parent_id = down.id where m.is_deleted = 0
      ) insert into top_menu_setting (tenant_id, top_menu_id, menu_id)
      select ${db.tenantId}, ${row.id}, m.id from down join menu m using (id) where m.category = 1
      on conflict do nothing`)
  }
}

/** Data scopes of the platform. No role has one yet, so they narrow nobody's rows. */
const DATA_SCOPES = [
  { menu: 'workInfo', scopeName: '本人登记的工单', scopeType: 2, remark: '只看自己登记的工单' },
  { menu: 'notice', scopeName: '本部门的通知', scopeType: 3, remark: '只看本部门发布的通知' },
  { menu: 'workInfo', scopeName: '本部门及下级的工单', scopeType: 4, remark: '区域负责人使用' },
] as const

/**
 * API scopes on calls that only the platform's own users may make anyway: a scope locks out everybody who does not hold
 * it.
 */
const API_SCOPES = [
  {
    menu: 'report_list',
    scopeName: '报表设计接口',
    scopePath: '/api/blade-report/',
    scopeType: 2,
    remark: '仅报表设计人员可调用',
  },
  {
    menu: 'tenant',
    scopeName: '租户维护接口',
    scopePath: '/api/blade-system/tenant/submit',
    scopeType: 1,
    remark: '仅平台运营可调用',
  },
] as const

/** Seeds the platform's data and API scopes; `all` is a connection across all tenants. */
export async function seedDataAndApiScopes(all: Db): Promise<void> {
  for (const { menu, ...scope } of API_SCOPES)
    await all.insert(apiScope, { ...scope, menuId: menuId(menu), resourceCode: menu })
  await all.asTenant(MANAGEMENT_TENANT, async (own) => {
    for (const { menu, ...scope } of DATA_SCOPES)
      await own.insert(dataScope, { ...scope, menuId: menuId(menu), resourceCode: menu, scopeField: '*' })
  })
}
