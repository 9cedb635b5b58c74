import { defineModule } from '#kit/server/module.ts'
import { releaseJob } from './notice.job.ts'
import { noticeCategory } from './notice.resource.ts'
import { noticeRead, noticeRoutes, noticeServer } from './notice.server.ts'

export default defineModule({
  name: 'messaging/notices',
  label: { zh: '工作台', en: 'Desk' },
  resources: [noticeServer],
  routes: noticeRoutes,
  tables: [noticeRead],
  jobs: [releaseJob],
  dictionaries: [noticeCategory],
  menus: [
    { code: 'desk', label: { zh: '工作台', en: 'Desk' }, path: '/desk', icon: 'desktop', sort: 1 },
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
