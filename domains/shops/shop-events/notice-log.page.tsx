import { createResourcePage } from '#kit/web/page/page.tsx'
import { noticeLog } from './notice-log.resource.ts'

/** List of the notifications sent to people, and whether they arrived. */
export default createResourcePage(noticeLog, {
  intro: {
    zh: '发给每个人的每一条通知，发到了没有、为什么',
    en: 'Every notification sent to each person, whether it was delivered and why not',
  },
})
