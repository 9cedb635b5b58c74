import { keptDays } from '#kit/resource/index.ts'
import { defineRoom } from '#kit/server/room.ts'
import { eventState } from './vendor-event.resource.ts'
import { vendorEventJob, vendorEventServer } from './vendor-events.ts'

export default defineRoom({
  name: 'integrations',
  label: { zh: '平台对接', en: 'Integrations' },
  resources: [vendorEventServer],
  jobs: [vendorEventJob],
  dictionaries: [eventState],
  forgets: [
    {
      table: 'vendor_event',
      param: keptDays('vendorEventDays', 90, { zh: '平台消息保留天数', en: 'Days messages of platforms are kept' }, 30),
    },
  ],
})
