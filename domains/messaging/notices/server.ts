import { defineModule } from '#kit/server/module/module.ts'
import { announceDueNoticeJob } from './notice.job.ts'
import { noticeCategoryDictionary } from './notice.resource.ts'
import { noticeReadTable, noticeRoutes, noticeServer } from './notice.server.ts'

export default defineModule({
  name: 'messaging/notices',
  label: { zh: '工作台', en: 'Workspace' },
  resources: [noticeServer],
  routes: noticeRoutes,
  tables: [noticeReadTable],
  jobs: [announceDueNoticeJob],
  dictionaries: [noticeCategoryDictionary],
  menus: [
    { code: 'desk', label: { zh: '工作台', en: 'Workspace' }, path: '/desk', icon: 'desktop', sort: 1 },
    {
      code: 'recycleBin',
      under: 'desk',
      label: { zh: '回收站', en: 'Recycle bin' },
      path: '/desk/bin',
      icon: 'rest',
      sort: 90,
    },
  ],
})
