import './refusals.ts'
import { tenantFiles } from '#domains/platform/system/api.ts'
import { defineModule } from '#kit/server/module.ts'
import { attachRoutes, attachServer } from './attach.server.ts'
import { byAddressRoute } from './by-address.server.ts'
import { ossCategory } from './dictionaries.ts'
import { removeFileJob } from './file.job.ts'
import { fileRoutes } from './file.server.ts'
import { lentRoute } from './lend.ts'
import { ossRoutes, ossServer } from './oss.server.ts'
import { PERSON_MB, TENANT_MB } from './params.ts'
import { storedFiles } from './stored-file.ts'
import { filesOfTenant } from './tenant-files.ts'

export default defineModule({
  name: 'platform/files',
  label: { zh: '文件', en: 'Files' },
  resources: [attachServer, ossServer],
  routes: [...fileRoutes, ...attachRoutes, ...ossRoutes, lentRoute, byAddressRoute],
  tables: [storedFiles],
  params: [PERSON_MB, TENANT_MB],
  jobs: [removeFileJob],
  start: async ({ slots }) => slots.fill(tenantFiles, filesOfTenant),
  dictionaries: [ossCategory],
  menus: [{ code: 'resource', label: { zh: '资源管理', en: 'Resources' }, path: '/resource', icon: 'folder', sort: 6 }],
})
