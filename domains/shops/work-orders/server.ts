import './refusals.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { leadDictionaries, joinUs } from './join-us.resource.ts'
import { joinUsFollowServer, joinUsServer, leadReminderJob } from './join-us.server.ts'
import { workDictionaries, workInfo } from './work-info.resource.ts'
import { workDeviceServer, workInfoServer } from './work-info.server.ts'

export default defineModule({
  name: 'shops/work-orders',
  label: { zh: '门店运营', en: 'Store operations' },
  resources: [workInfoServer, workDeviceServer, joinUsServer, joinUsFollowServer],
  jobs: [leadReminderJob],
  todos: [
    defineTodo(workInfo, {
      key: 'worksWaiting',
      label: { zh: '待派工单', en: 'Unassigned work orders' },
      icon: 'tool',
      tone: 'warn',
      query: () => ({ status: '0' }),
      can: 'workInfo_assign',
      line: { title: 'title', notes: ['type', 'shopId'], time: 'createTime' },
    }),
    defineTodo(workInfo, {
      key: 'worksMine',
      label: { zh: '我的工单', en: 'My work orders' },
      icon: 'tool',
      tone: 'warn',
      can: 'workInfo_finish',
      query: ({ userId }) => ({ status: '1,2', workerUserId: userId }),
      order: { ascs: 'planTime' },
      line: { title: 'title', notes: ['type', 'status', 'shopId'], time: 'planTime', due: true },
    }),
    defineTodo(workInfo, {
      key: 'worksLate',
      label: { zh: '逾期工单', en: 'Overdue work orders' },
      icon: 'clock-circle',
      tone: 'bad',
      query: ({ daysAgo }) => ({ status: '1,2', planTime_datelt: daysAgo(1) }),
      can: 'workInfo_assign',
      order: { ascs: 'planTime' },
      line: { title: 'title', notes: ['workerUserId', 'shopId'], time: 'planTime', due: true },
    }),
    defineTodo(joinUs, {
      key: 'leadsNew',
      label: { zh: '新加盟申请', en: 'New franchise leads' },
      icon: 'solution',
      tone: 'warn',
      query: () => ({ status: '0' }),
    }),
    defineTodo(joinUs, {
      key: 'leadsDue',
      label: { zh: '今日待跟进加盟', en: 'Leads to follow up today' },
      icon: 'phone',
      tone: 'warn',
      query: ({ today }) => ({ status: '1', nextFollowTime_datelt: today }),
    }),
  ],
  dictionaries: [...workDictionaries, ...leadDictionaries],
})
