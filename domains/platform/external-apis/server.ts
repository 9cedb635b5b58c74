import { keptDays } from '#kit/resource/index.ts'
import { defineModule, todoOf } from '#kit/server/module.ts'
import { EVENT, eventState, vendorEvent } from './vendor-event.resource.ts'
import { webhookEventJob, vendorEventServer } from './webhook-events.ts'

export default defineModule({
  name: 'platform/external-apis',
  label: { zh: '平台对接', en: 'Integrations' },
  resources: [vendorEventServer],
  jobs: [webhookEventJob],
  dictionaries: [eventState],
  todos: [
    todoOf(vendorEvent, {
      key: 'messageFailed',
      label: { zh: '没能处理的平台回调', en: 'Unprocessed platform webhooks' },
      query: () => ({ state: EVENT.failed }),
      line: { title: 'kind', notes: ['system', 'subject', 'failReason'], time: 'updateTime' },
      icon: 'inbox',
      tone: 'bad',
    }),
  ],
  retention: [
    {
      table: 'vendor_event',
      param: keptDays('vendorEventDays', 90, { zh: '平台回调保留天数', en: 'Platform webhook retention (days)' }, 30),
    },
  ],
})
