import './refusals.ts'
import { defineRoom } from '#kit/server/room.ts'
import { doorDictionaries } from './door-control-log.resource.ts'
import { doorControlLogServer } from './door-log.server.ts'
import { leadDictionaries } from './join-us.resource.ts'
import { joinUsFollowServer, joinUsServer, leadReminderJob } from './join-us.server.ts'
import { visitDictionaries } from './visit.resource.ts'
import { visitRecordTable, visitRoutes, visitServer } from './visit.server.ts'
import { workDictionaries } from './work-info.resource.ts'
import { workDeviceServer, workInfoServer } from './work-info.server.ts'

export default defineRoom({
  name: 'operations',
  label: { zh: '门店运营', en: 'Operations' },
  resources: [visitServer, doorControlLogServer, workInfoServer, workDeviceServer, joinUsServer, joinUsFollowServer],
  routes: visitRoutes,
  tables: [visitRecordTable],
  jobs: [leadReminderJob],
  needs: [
    { key: 'worksWaiting', label: { zh: '待派工单', en: 'Work orders to assign' }, resource: 'workInfo', icon: 'tool', tone: 'warn', query: () => ({ status: '0' }), can: 'workInfo_assign', line: { title: 'title', notes: ['typeName', 'shopName'], time: 'createTime' } },
    { key: 'worksMine', label: { zh: '我的工单', en: 'Work orders for me' }, resource: 'workInfo', icon: 'tool', tone: 'warn', can: 'workInfo_finish', query: ({ userId }) => ({ status: '1,2', workerUserId: userId }), order: { ascs: 'planTime' }, line: { title: 'title', notes: ['typeName', 'statusName', 'shopName'], time: 'planTime', due: true } },
    { key: 'worksLate', label: { zh: '逾期工单', en: 'Work orders overdue' }, resource: 'workInfo', icon: 'clock-circle', tone: 'bad', query: ({ daysAgo }) => ({ status: '1,2', planTime_datelt: daysAgo(1) }), can: 'workInfo_assign', order: { ascs: 'planTime' }, line: { title: 'title', notes: ['workerName', 'shopName'], time: 'planTime', due: true } },
    { key: 'leadsNew', label: { zh: '新加盟申请', en: 'New franchise leads' }, resource: 'joinUs', icon: 'solution', tone: 'warn', query: () => ({ status: '0' }) },
    { key: 'leadsDue', label: { zh: '今日待跟进加盟', en: 'Leads to call back' }, resource: 'joinUs', icon: 'phone', tone: 'warn', query: ({ today }) => ({ status: '1', nextFollowTime_datelt: today }) },
  ],
  dictionaries: [...visitDictionaries, ...doorDictionaries, ...workDictionaries, ...leadDictionaries],
})
