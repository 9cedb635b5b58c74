import { keptDays } from '#kit/resource/index.ts'
import { defineRoom } from '#kit/server/room.ts'
import { attachRoutes, attachServer } from './attach.server.ts'
import { ossCategory, smsCategory, smsState } from './dictionaries.ts'
import { removeFileJob } from './file.job.ts'
import { fileRoutes } from './file.server.ts'
import { ossRoutes, ossServer } from './oss.server.ts'
import './refusals.ts'
import { smsJob } from './sms.job.ts'
import { smsRecordServer, smsRoutes, smsServer } from './sms.server.ts'
import { storedFiles } from './stored-file.ts'

export default defineRoom({
  name: 'resource',
  label: { zh: '资源管理', en: 'Resources' },
  resources: [attachServer, ossServer, smsServer, smsRecordServer],
  routes: [...fileRoutes, ...attachRoutes, ...ossRoutes, ...smsRoutes],
  tables: [storedFiles],
  jobs: [removeFileJob, smsJob],
  forgets: [
    {
      table: 'sms_record',
      param: keptDays(
        'smsRecordDays',
        365,
        { zh: '短信记录保留天数', en: 'Days the record of text messages is kept' },
        30,
      ),
    },
  ],
  dictionaries: [ossCategory, smsCategory, smsState],
  menus: [{ code: 'resource', label: { zh: '资源管理', en: 'Resources' }, path: '/resource', icon: 'folder', sort: 6 }],
})
