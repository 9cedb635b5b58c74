import { createResourcePage } from '#kit/web/page/page.tsx'
import { unmannedLog } from './unmanned-log.resource.ts'

/** List of unattended periods with their sales. */
export default createResourcePage(unmannedLog, {
  intro: {
    zh: '店里没有人的时段；结束时统计其间的订单和销售额',
    en: 'Periods without staff in the store. Orders and sales are totaled at the end.',
  },
})
