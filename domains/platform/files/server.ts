import './refusals.ts'
import { tenantFilesSlot } from '#domains/platform/system/api.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { attachRoutes, attachServer } from './attach.server.ts'
import { downloadByUrlRoute } from './by-address.server.ts'
import { ossCategoryDictionary } from './dictionaries.ts'
import { removeFileBytesJob } from './file.job.ts'
import { fileRoutes } from './file.server.ts'
import { temporaryFileRoute } from './temporary-file-url.ts'
import { ossRoutes, ossServer } from './oss.server.ts'
import { PERSON_DAILY_UPLOAD_MB_PARAM, TENANT_DAILY_UPLOAD_MB_PARAM } from './params.ts'
import { storedFileTable } from './stored-file.ts'
import { tenantFilesProvider } from './tenant-files.ts'

export default defineModule({
  name: 'platform/files',
  label: { zh: '文件', en: 'Files' },
  resources: [attachServer, ossServer],
  routes: [...fileRoutes, ...attachRoutes, ...ossRoutes, temporaryFileRoute, downloadByUrlRoute],
  tables: [storedFileTable],
  params: [PERSON_DAILY_UPLOAD_MB_PARAM, TENANT_DAILY_UPLOAD_MB_PARAM],
  jobs: [removeFileBytesJob],
  start: async ({ slots }) => slots.fill(tenantFilesSlot, tenantFilesProvider),
  dictionaries: [ossCategoryDictionary],
  menus: [
    {
      code: 'resource',
      label: { zh: '资源管理', en: 'Integrations & storage' },
      path: '/resource',
      icon: 'folder',
      sort: 6,
    },
  ],
})
