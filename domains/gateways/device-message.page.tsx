import { page } from '#kit/web/page.tsx'
import { deviceMessage } from './device-message.resource.ts'

/** What devices said and nobody could handle, with what can be done about it. */
export default page(deviceMessage, {
  intro: {
    zh: '设备发来但没能处理的消息：看原因和内容，修好后可重试，无需处理的可忽略',
    en: 'Messages of devices that could not be handled: why, and what they said; try again, or put away',
  },
})
