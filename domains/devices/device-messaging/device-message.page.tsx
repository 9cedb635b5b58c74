import { createResourcePage } from '#kit/web/page/page.tsx'
import { deviceMessage } from './device-message.resource.ts'

/** List of device messages that could not be handled, to retry or ignore them. */
export default createResourcePage(deviceMessage, {
  intro: {
    zh: '设备发来但没能处理的消息：看原因和内容，修好后可重试，无需处理的可忽略',
    en:
      'Device messages that could not be processed, with reason and content. ' +
      'Retry them after the cause is fixed, or ignore them.',
  },
})
