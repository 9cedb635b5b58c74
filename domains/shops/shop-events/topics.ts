import { defineTopic } from '#kit/resource/index.ts'

/** A notification for one person. */
export const noticeDeliveredTopic = defineTopic<{
  id: string
  content: string | null
  contentEn: string | null
  template: string | null
  eventId: string | null
}>('notice.sent')
