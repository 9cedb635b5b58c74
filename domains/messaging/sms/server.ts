import './refusals.ts'
import { defineRetentionParam } from '#kit/resource/index.ts'
import { defineModule } from '#kit/server/module/module.ts'
import { smsProviderDictionary, smsStateDictionary } from './dictionaries.ts'
import { smsCall } from './sms-send.ts'
import { smsRecordServer, smsRoutes, smsServer } from './sms.server.ts'

export default defineModule({
  name: 'messaging/sms',
  label: { zh: '短信', en: 'Text messages' },
  resources: [smsServer, smsRecordServer],
  routes: smsRoutes,
  jobs: smsCall.jobs,
  retention: [
    {
      table: 'sms_record',
      param: defineRetentionParam('smsRecordDays', 365, { zh: '短信记录保留天数', en: 'SMS log retention (days)' }, 30),
    },
  ],
  dictionaries: [smsProviderDictionary, smsStateDictionary],
})
