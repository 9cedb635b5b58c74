import { defineRetentionParam } from '#kit/resource/index.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { event, eventDictionaries } from './event.resource.ts'
import { eventReadTable, eventRoutes, eventServer } from './event.server.ts'
import {
  deliverNoticeJob,
  requeueDueNoticesJob,
  createEventNoticesJob,
  remindOfUnclaimedEventsJob,
} from './notice.job.ts'
import { noticeDictionaries } from './notice-subscribe.resource.ts'
import { noticeLogServer, noticeSubscriptionRoutes, noticeSubscribeServer } from './notice-subscribe.server.ts'
import { eventParams } from './params.ts'
import { plannedWorkServer } from './planned-work.server.ts'
import { wechatTemplateServer } from './wechat-template.server.ts'
import { checkSilentSourcesJob } from './silence.job.ts'
import { personalOpeningsAlertSlot } from '#domains/platform/logs/api.ts'
import { notifyOwnersOfDataAccess } from './openings.ts'

const eventLine = { title: 'content', notes: ['type', 'shopId'], time: 'occurTime' } as const

export default defineModule({
  name: 'shops/shop-events',
  label: { zh: '事件', en: 'Events' },
  params: eventParams,
  start: async ({ slots }) => slots.fill(personalOpeningsAlertSlot, notifyOwnersOfDataAccess),
  retention: [
    {
      table: 'notice_log',
      param: defineRetentionParam(
        'noticeLogDays',
        365,
        { zh: '通知记录保留天数', en: 'Notification log retention (days)' },
        30,
      ),
    },
  ],
  resources: [eventServer, plannedWorkServer, noticeSubscribeServer, noticeLogServer, wechatTemplateServer],
  routes: [...eventRoutes, ...noticeSubscriptionRoutes],
  tables: [eventReadTable],
  jobs: [
    checkSilentSourcesJob,
    createEventNoticesJob,
    deliverNoticeJob,
    requeueDueNoticesJob,
    remindOfUnclaimedEventsJob,
  ],
  dictionaries: [...eventDictionaries, ...noticeDictionaries],
  todos: [
    defineTodo(event, {
      key: 'urgentEvents',
      label: { zh: '紧急事件', en: 'Urgent events' },
      icon: 'alert',
      tone: 'bad',
      query: () => ({ level: '3', status: '0,1' }),
      line: eventLine,
    }),
    defineTodo(event, {
      key: 'openEvents',
      label: { zh: '待处理事件', en: 'Open events' },
      icon: 'bell',
      tone: 'warn',
      query: () => ({ level: '2', status: '0' }),
      line: eventLine,
    }),
  ],
})
