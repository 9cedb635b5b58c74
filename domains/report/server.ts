import { defineRoom } from '#kit/server/room.ts'
import { REPORT_URL } from './params.ts'
import { reportFileServer } from './report-file.server.ts'

export default defineRoom({
  name: 'report',
  label: { zh: '报表管理', en: 'Reports' },
  resources: [reportFileServer],
  params: [REPORT_URL],
  menus: [{ code: 'report', label: { zh: '报表管理', en: 'Reports' }, path: '/report', icon: 'file-text', sort: 5 }],
})
