import { createResourcePage } from '#kit/web/page/page.tsx'
import { wxShoper } from './wx-shoper.resource.ts'

/** List of bosses' WeChat accounts and the users they are linked to. */
export default createResourcePage(wxShoper, {
  intro: {
    zh: '店主的微信绑定哪个后台账号、看得到哪些门店',
    en: 'Which account the WeChat of a store owner is linked to and which stores it can see',
  },
})
