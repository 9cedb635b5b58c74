import { kitRetentionRules } from '#kit/server/mount/kit-tables.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { clientServer, seedClients } from './client.server.ts'
import { seedDictionaries } from './dict-seed.ts'
import { dictRoutes, dictServers } from './dict.server.ts'
import { systemModuleDictionaries } from './dictionaries.ts'
import { paramServer, seedParams } from './param.server.ts'
import { systemParams, TENANT_MENUS_PARAM, defaultTenantMenuCodes } from './params.ts'
import './refusals.ts'
import { seedRegions } from './region-seed.ts'
import { regionRoutes, regionServer } from './region.server.ts'
import { seedManagementTenant, tenantPackageServer, tenantRoutes, tenantServer } from './tenant.server.ts'
import { systemStatusRoute } from './status.server.ts'
import { exportTenantArchiveJob } from './tenant-archive.ts'
import { removeDueTenantsJob } from './tenant-removal.job.ts'
import { tenantRemovalRoutes, tenantRemovalServer } from './tenant-removal.server.ts'
import { tenantRemovedRowsTable } from './tenant-tables.ts'
import { tenant } from './tenant.resource.ts'

/** Menu groups of the platform, which a new tenant's administrator does not get by default. */
const platformGroups = new Set(['system', 'base', 'authority', 'monitor', 'tool', 'report'])

export default defineModule({
  name: 'platform/system',
  label: { zh: '系统管理', en: 'System' },
  resources: [
    tenantServer,
    tenantRemovalServer,
    tenantPackageServer,
    clientServer,
    regionServer,
    paramServer,
    ...dictServers,
  ],
  routes: [...tenantRoutes, ...tenantRemovalRoutes, ...regionRoutes, ...dictRoutes, systemStatusRoute],
  tables: [tenantRemovedRowsTable],
  jobs: [exportTenantArchiveJob, removeDueTenantsJob],
  dictionaries: systemModuleDictionaries,
  params: systemParams,
  retention: kitRetentionRules,
  todos: [
    defineTodo(tenant, {
      key: 'tenantsExpired',
      label: { zh: '已到期租户', en: 'Expired tenants' },
      icon: 'stop',
      tone: 'bad',
      query: ({ daysAgo }) => ({ expireTime_datele: daysAgo(1) }),
      order: { ascs: 'expireTime' },
    }),
    defineTodo(tenant, {
      key: 'tenantsExpiring',
      label: { zh: '30 天内到期租户', en: 'Tenants expiring within 30 days' },
      icon: 'clock-circle',
      tone: 'warn',
      query: ({ today, daysAgo }) => ({ expireTime_datege: today, expireTime_datele: daysAgo(-30) }),
      order: { ascs: 'expireTime' },
    }),
  ],
  menus: [
    { code: 'base', label: { zh: '基础资料', en: 'Master data' }, path: '/base', icon: 'appstore', sort: 97 },
    // Not in the monitoring group, which tenants get.
    {
      code: 'system_status',
      under: 'system',
      label: { zh: '系统状态', en: 'System status' },
      path: '/system/status',
      icon: 'dashboard',
      sort: 90,
    },
  ],
  seed: async (db, services) => {
    const { registry, config } = services
    await seedManagementTenant(db)
    const business = registry.modules
      .flatMap((module) => module.menus ?? [])
      .filter((menu) => !menu.under && !platformGroups.has(menu.code))
      .map((menu) => menu.code)
    await seedParams(db, registry, {
      [TENANT_MENUS_PARAM.key]: [...new Set([...defaultTenantMenuCodes, ...business])].join(','),
    })
    await seedClients(db, config.story)
    await seedRegions(db)
    return seedDictionaries(db, services)
  },
})
