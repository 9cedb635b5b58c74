import { createResourcePage } from '#kit/web/page/page.tsx'
import { blackAppeal } from './black-appeal.resource.ts'

export default createResourcePage(blackAppeal, {
  intro: {
    zh: '被拦下的人可以申诉；由录入名单以外的人决定维持还是解除',
    en: 'Blocked customers can appeal. Someone other than the creator of the entry decides.',
  },
  start: { status: '0' },
})
