import { defineRetentionParam } from '#kit/resource/index.ts'
import { defineModule, defineTodo } from '#kit/server/module/module.ts'
import { VENDOR_EVENT_STATE, vendorEventStateDictionary, vendorEvent } from './vendor-event.resource.ts'
import { handleWebhookEventJob, vendorEventServer } from './webhook-events.ts'

export default defineModule({
  name: 'platform/external-apis',
  label: { zh: '平台对接', en: 'Integrations' },
  resources: [vendorEventServer],
  jobs: [handleWebhookEventJob],
  dictionaries: [vendorEventStateDictionary],
  todos: [
    defineTodo(vendorEvent, {
      key: 'messageFailed',
      label: { zh: '没能处理的平台回调', en: 'Unprocessed platform webhooks' },
      query: () => ({ state: VENDOR_EVENT_STATE.failed }),
      line: { title: 'kind', notes: ['system', 'subject', 'failReason'], time: 'updateTime' },
      icon: 'inbox',
      tone: 'bad',
    }),
  ],
  retention: [
    {
      table: 'vendor_event',
      param: defineRetentionParam(
        'vendorEventDays',
        90,
        { zh: '平台回调保留天数', en: 'Platform webhook retention (days)' },
        30,
      ),
    },
  ],
})
