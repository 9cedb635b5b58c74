import { defineTopic } from '#kit/resource/index.ts'

export const noticePublishedTopic = defineTopic<{
  id: string
  title: string | null
  category: number | null
  releaseTime: string | null
}>('notice.published')
export const noticeRemovedTopic = defineTopic<{ ids: string[] }>('notice.removed')
